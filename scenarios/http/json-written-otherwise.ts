import { isSuccess, jsonIn, results, scenario } from '../../conformance/scenario.ts'
import { carriedAgent } from './support/carried.ts'
import { sendBody } from './support/content-family.ts'

/** A letter of two bytes, and a character that JSON escapes as two. */
const METADATA = { subject: '/CN=an agent of Zürich \u{1f512}' }

/** The same JSON with an escape for each character outside of ASCII, as Python writes it, and for one letter. */
const escaped = (json: string) =>
  json.replace(/[^\0-\x7f]|m/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export default scenario({
  id: 'http.json-written-otherwise',
  title:
    'The verifier reads a body with blanks around its object, or with escapes, as the same JSON',
  requirements: ['HTTP-PLAIN-SERVED'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  variantOf: 'http.served.verifier',
  async run(context) {
    const { check, verifier } = context
    for (const [says, write] of [
      ['with blanks', (body: object) => `\n ${JSON.stringify(body, null, '\t')}\r\n`],
      ['with escapes', (body: object) => escaped(JSON.stringify(body))],
    ] as const) {
      const carried = await carriedAgent(context, JSON.stringify(METADATA))
      const type = ['content-type: application/json']
      const { first } = await sendBody(verifier.client, carried, type, write(carried.body))
      check('HTTP-PLAIN-SERVED', `a body ${says}`).of(first).matches('a success', isSuccess)
      const record = await verifier.readAgent(carried.id)
      const metadata = results(record, 'meta_data') ?? results(record, 'metadata')
      check('HTTP-PLAIN-SERVED', `metadata of the agent that was sent ${says}`)
        .of(jsonIn(metadata))
        .is(METADATA)
    }
  },
})
