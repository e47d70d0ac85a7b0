import { results, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, uefiLogOfBank } from './support/engine.ts'

const NONCE = 'Zr7u2HfQ9cXk4TsB1nLe'

export default scenario({
  id: 'verifier.boot-log-of-another-bank',
  title: 'The verifier does not accept a boot log without digests of the quoted bank',
  requirements: ['VER-EVIDENCE-BOOT-BANK'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  needs: ['uefi_log'],
  variantOf: 'verifier.evidence-with-boot-log',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const evidence = await thirdPartyEvidence(machine, {
      ...{ quoted: NONCE, stated: NONCE, measuredBoot: true },
      bootLog: (log) => uefiLogOfBank(log, 'sha1'), // the defect
    })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-BOOT-BANK', 'valid').of(results(reply, 'valid')).isOneOf([false, undefined])
  },
})
