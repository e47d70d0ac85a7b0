import { attributes, scenario } from '../../../conformance/scenario.ts'
import { keyringOf, makeFileSigner, signedFileEntry } from '../support/engine.ts'

export default scenario({
  id: 'push.evidence.signed-file',
  title:
    'The verifier passes a file missing from the policy that is signed by a key in the keyring',
  requirements: ['ATT-IMA-SIGNED-FILE'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ machines, check }) {
    const signer = makeFileSigner()
    const agent = await machines.pushAgent({ keyring: keyringOf([signer]) })
    await agent.machine.append(signedFileEntry('/usr/bin/signed', signer))
    const seen = await agent.attest()
    check('ATT-IMA-SIGNED-FILE', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
  },
})
