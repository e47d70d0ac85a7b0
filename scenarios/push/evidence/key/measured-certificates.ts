import { attributes, scenario } from '../../../../conformance/scenario.ts'
import {
  certifiedFileSigner,
  digest,
  imaBufEntry,
  keyringOf,
  makeFileSigner,
  signedFileEntry,
  toHex,
} from '../../support/engine.ts'

/** Bytes of a short identifier (RFC 5280, 4.2.1.2), and of the usual one. */
const SHORT = 8
const USUAL = 20
const KEY_ID_SIZE = 4

export default scenario({
  id: 'push.evidence.key.measured-certificates',
  title:
    'The verifier finds the key of a file signature by the identifier of a measured certificate, among all keys with it',
  requirements: ['ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.key-in-policy',
  async run({ machines, random, check, observe }) {
    const configured = makeFileSigner()
    const keyId = new Uint8Array(KEY_ID_SIZE)
    new DataView(keyId.buffer).setUint32(0, configured.keyId)
    const same = Uint8Array.of(...random.bytes(USUAL - KEY_ID_SIZE), ...keyId)
    const short = await certifiedFileSigner(random.bytes(SHORT), Date.now())
    const namesake = await certifiedFileSigner(same, Date.now())
    const listed = [short, namesake].map(({ certificate }) => toHex(digest('sha256', certificate)))
    const agent = await machines.lightAgent({
      keyring: keyringOf([configured]),
      policy: (one) => ({ ...one, keyrings: { '.ima': listed } }),
    })
    const evaluationOf = async (path: string, signer: typeof configured) => {
      await agent.machine.append(signedFileEntry(path, signer))
      return attributes(await agent.attest(), 'evaluation')
    }
    await agent.machine.append(imaBufEntry('.ima', short.certificate))
    check(
      'ATT-EVALUATION-PASS',
      `evaluation of a file by a certificate with an identifier of ${SHORT} bytes`,
    )
      .of(await evaluationOf('/usr/bin/first', short))
      .is('pass')
    const evaluation = await evaluationOf('/usr/bin/second', configured)
    observe('ATT-IMA-SIGNED-FILE', 'evaluation of a file by a key in the keyring', evaluation)
    if (evaluation !== 'pass') return
    await agent.machine.append(imaBufEntry('.ima', namesake.certificate))
    const third = await evaluationOf('/usr/bin/third', namesake)
    observe('ATT-IMA-SIGNED-FILE', 'evaluation of a file by a namesake of that key', third)
    if (third !== 'pass') return
    check('ATT-EVALUATION-PASS', 'evaluation of a later file by the key in the keyring')
      .of(await evaluationOf('/usr/bin/fourth', configured))
      .is('pass')
  },
})
