import { attributes, scenario } from '../../../conformance/scenario.ts'
import { keyringOf, makeFileSigner, signedFileEntry } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.signed-by-another',
  title: 'The verifier rejects a file missing from the policy that is signed by an unknown key',
  requirements: ['ATT-IMA-SIGNED-BY-ANOTHER', 'ATT-REASON-POLICY'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.signed-file',
  async run({ machines, check }) {
    const signer = makeFileSigner()
    const agent = await machines.pushAgent({ keyring: keyringOf([signer]) })
    const another = makeFileSigner() // the defect
    await agent.machine.append(signedFileEntry('/usr/bin/signed', another))
    const seen = await agent.attest()
    const failed = check('ATT-IMA-SIGNED-BY-ANOTHER', 'evaluation')
      .of(attributes(seen, 'evaluation'))
      .is('fail')
    if (failed)
      check('ATT-REASON-POLICY', 'failure_reason')
        .of(attributes(seen, 'failure_reason'))
        .is('policy_violation')
  },
})
