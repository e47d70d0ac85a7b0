import { isSuccess, jsonIn, results, scenario } from '../../conformance/scenario.ts'
import { carriedAgent } from './support/carried.ts'
import { TAKEN_OR_411 } from './support/framing-family.ts'
import { IN_CHUNKS, sendLines } from './support/raw-request.ts'

/** Each letter outside of ASCII has two or three bytes. */
const METADATA = { subject: '/CN=an agent of Zürich \u{5b89}' }

export default scenario({
  id: 'http.metadata-in-chunks',
  title: 'The verifier joins the bytes of a letter that arrive in different chunks',
  requirements: ['HTTP-UNUSUAL-ANSWERED'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'http.served.verifier',
  async run(context) {
    const { check, verifier } = context
    const carried = await carriedAgent(context, JSON.stringify(METADATA))
    const { first } = await sendLines(verifier.client, carried, IN_CHUNKS)
    check('HTTP-UNUSUAL-ANSWERED', 'a body in chunks of one byte')
      .of(first)
      .matches(...TAKEN_OR_411)
    const record = await verifier.readAgent(carried.id)
    const metadata = results(record, 'meta_data') ?? results(record, 'metadata')
    check('HTTP-UNUSUAL-ANSWERED', 'metadata of the agent')
      .of(jsonIn(metadata))
      .is(isSuccess(first) ? METADATA : undefined)
  },
})
