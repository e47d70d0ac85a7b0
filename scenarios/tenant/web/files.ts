import { base64, scenario } from '../../../conformance/scenario.ts'
import { makeBootstrapKeys, sealPayload } from '../support/engine.ts'
import { addByWeb } from '../support/tenant-web.ts'

const TEXT = 'a payload of the harness\n'
const PLAIN = ['LEG-WEB-POST-FILE-DATA', 'LEG-WEB-POST-FILE-NAME']
const SEALED = ['LEG-WEB-POST-KEYFILE-DATA', 'LEG-WEB-POST-KEYFILE-NAME']

export default scenario({
  id: 'tenant.web.files',
  title: 'The web application of a tenant sends a file of the request to the agent, under its keys',
  requirements: [...PLAIN, ...SEALED],
  role: 'tenant',
  seconds: 4,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const plain = await addByWeb({ tenants }, (encode) => ({
      file_data: encode(TEXT),
      file_name: 'payload.txt',
    }))
    for (const id of PLAIN) {
      check(id, 'HTTP status').of(plain.reply.status).is(200)
      check(id, 'the payload, opened with K').of(plain.payload).is(TEXT)
    }
    const keys = makeBootstrapKeys()
    const sealed = await addByWeb({ tenants }, (encode) => ({
      keyfile_data: encode([keys.k, keys.v, keys.u].map(base64).join('\n')),
      keyfile_name: 'keys.txt',
      file_data: encode(sealPayload(keys, new TextEncoder().encode(TEXT))),
      file_name: 'payload.sealed',
    }))
    for (const id of SEALED) {
      check(id, 'HTTP status').of(sealed.reply.status).is(200)
      check(id, 'K of the agent')
        .of(sealed.keys.k && base64(sealed.keys.k))
        .is(base64(keys.k))
      check(id, 'the payload, opened with K').of(sealed.payload).is(TEXT)
    }
  },
})
