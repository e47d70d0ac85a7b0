import { scenario } from '../../conformance/scenario.ts'
import {
  alterLastUefiDigest,
  answerIn,
  NOT_VALID,
  thirdPartyEvidence,
  uefiLogOfBank,
} from './support/engine.ts'

const NONCE = 'Zr7u2HfQ9cXk4TsB1nLe'

/** A defect of the evidence: the log that is sent in place of the machine's, or the PCRs that are quoted. */
type Defect = Pick<Parameters<typeof thirdPartyEvidence>[1], 'bootLog' | 'pcrs'>

const DEFECTS: readonly (readonly [id: string, what: string, row: string, defect: Defect])[] = [
  [
    'log-altered',
    'a boot log with an altered digest',
    'VER-EVIDENCE-BOOT-REPLAYS',
    { bootLog: (log) => alterLastUefiDigest(log, 'sha256') },
  ],
  [
    'log-cut',
    'a boot log that ends inside an event',
    'VER-EVIDENCE-BOOT-READABLE',
    { bootLog: (log) => log.subarray(0, -1) },
  ],
  [
    'log-missing',
    'evidence without a boot log if a boot policy is given',
    'VER-EVIDENCE-BOOT-LOG-NEEDED',
    { bootLog: () => undefined },
  ],
  [
    'log-of-another-bank',
    'a boot log without digests of the quoted bank',
    'VER-EVIDENCE-BOOT-BANK',
    { bootLog: (log) => uefiLogOfBank(log, 'sha1') },
  ],
  [
    'pcrs-not-quoted',
    'a quote without the firmware PCRs if a boot policy is given',
    'VER-EVIDENCE-BOOT-PCRS',
    { pcrs: [] },
  ],
]

export default DEFECTS.map(([id, what, row, defect]) =>
  scenario({
    id: `verifier.boot-${id}`,
    title: `The verifier does not accept ${what}`,
    requirements: [row],
    role: 'verifier',
    since: '2.4',
    until: '2.5',
    needs: ['uefi_log'],
    variantOf: 'verifier.evidence-with-boot-log',
    async run({ verifier, machines, check }) {
      const evidence = await thirdPartyEvidence(await machines.boot(), {
        ...{ quoted: NONCE, stated: NONCE, measuredBoot: true },
        ...defect,
      })
      const reply = await verifier.verifyEvidence(evidence)
      check(row, 'valid')
        .of(answerIn(reply))
        .matches(...NOT_VALID)
    },
  }),
)
