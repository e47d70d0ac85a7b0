import { scenario } from '../../../conformance/scenario.ts'
import {
  countOf,
  digest,
  imaBufEntry,
  makeFileSigner,
  signedFileEntry,
  toHex,
} from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.signed',
  title: 'The verifier trusts a key that a list measured in every later part of a polled list',
  requirements: ['VER-STATUS-COUNT-GROWS'],
  role: 'verifier',
  seconds: 6,
  since: '2.5',
  until: '2.5',
  needs: ['pull_mode', 'ima_log'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check }) {
    const signer = makeFileSigner()
    const listed = toHex(digest('sha256', signer.publicDer))
    const agent = await machines.pullAgent({
      until: 'activated',
      policy: (one) => ({ ...one, keyrings: { '.ima': [listed] } }),
    })
    await agent.machine.append(imaBufEntry('.ima', signer.publicDer))
    await agent.enrol()
    const before = countOf(await agent.recordOnce((one) => countOf(one) >= 1))
    await agent.machine.append(signedFileEntry('/usr/bin/signed', signer))
    // A poll under way may have had the list from before.
    const record = await agent.recordOnce((one) => countOf(one) >= before + 2)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count once a signed file was measured')
      .of(countOf(record))
      .matches(`at least ${before + 2}`, (count) => count >= before + 2)
  },
})
