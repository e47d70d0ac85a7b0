import { attributes, scenario } from '../../../../conformance/scenario.ts'
import {
  type FileSigner,
  keyringOf,
  makeFileSigner,
  signedFileEntry,
} from '../../support/engine.ts'

export default scenario({
  id: 'push.evidence.key.of-agent-alone',
  title:
    'The verifier trusts the keyring of an agent for that agent, whatever others with its policy have',
  requirements: ['ATT-IMA-SIGNED-FILE', 'ATT-IMA-SIGNED-BY-ANOTHER'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.signed-file',
  async run({ machines, check }) {
    const own = makeFileSigner()
    const other = signerLike(own)
    const signed = signedFileEntry('/usr/bin/signed', own)
    const evaluationUnder = async (signer: typeof own) => {
      const agent = await machines.lightAgent({
        keyring: keyringOf([signer]),
        policy: (one) => ({ ...one, 'verification-keys': '' }),
      })
      await agent.machine.append(signed)
      return attributes(await agent.attest(), 'evaluation')
    }
    for (const time of ['first', 'second']) {
      check('ATT-IMA-SIGNED-FILE', `evaluation with the key in its keyring, ${time} time`)
        .of(await evaluationUnder(own))
        .is('pass')
      check('ATT-IMA-SIGNED-BY-ANOTHER', `evaluation with another key in its keyring, ${time} time`)
        .of(await evaluationUnder(other)) // the defect
        .is('fail')
    }
  },
})

/** Another signer, whose keyring is as long: key ids have nine digits or ten. */
function signerLike(signer: FileSigner): FileSigner {
  const sameLength = (other: FileSigner) => keyringOf([other]).length === keyringOf([signer]).length
  let other = makeFileSigner()
  while (!sameLength(other)) other = makeFileSigner()
  return other
}
