import { scenario } from '../../../conformance/scenario.ts'
import { checkFailed } from '../support/check-failed.ts'
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
    checkFailed(check, seen, ['ATT-IMA-SIGNED-BY-ANOTHER', 'ATT-REASON-POLICY'])
  },
})
