import { results, scenario } from '../../conformance/scenario.ts'
import { alterLastUefiDigest, thirdPartyEvidence } from './support/engine.ts'

const NONCE = 'Zr7u2HfQ9cXk4TsB1nLe'

export default scenario({
  id: 'verifier.boot-log-altered',
  title: 'The verifier does not accept a boot log with an altered digest',
  requirements: ['VER-EVIDENCE-BOOT-REPLAYS'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  needs: ['uefi_log'],
  variantOf: 'verifier.evidence-with-boot-log',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const evidence = await thirdPartyEvidence(machine, {
      ...{ quoted: NONCE, stated: NONCE, measuredBoot: true },
      bootLog: (log) => alterLastUefiDigest(log, 'sha256'), // the defect
    })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-BOOT-REPLAYS', 'valid')
      .of(results(reply, 'valid'))
      .isOneOf([false, undefined])
  },
})
