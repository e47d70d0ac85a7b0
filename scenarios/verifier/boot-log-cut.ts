import { results, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence } from './support/engine.ts'

const NONCE = 'Zr7u2HfQ9cXk4TsB1nLe'

export default scenario({
  id: 'verifier.boot-log-cut',
  title: 'The verifier does not accept a boot log that ends inside an event',
  requirements: ['VER-EVIDENCE-BOOT-READABLE'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  needs: ['uefi_log'],
  variantOf: 'verifier.evidence-with-boot-log',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const evidence = await thirdPartyEvidence(machine, {
      ...{ quoted: NONCE, stated: NONCE, measuredBoot: true },
      bootLog: (log) => log.subarray(0, -1), // the defect
    })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-BOOT-READABLE', 'valid')
      .of(results(reply, 'valid'))
      .isOneOf([false, undefined])
  },
})
