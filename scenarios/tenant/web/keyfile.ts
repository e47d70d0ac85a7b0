import { scenario, toHex } from '../../../conformance/scenario.ts'
import { addWithFiles, keyFile, PAYLOAD } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.keyfile',
  title: 'The web application sends the keys of a key file, and the payload that they open',
  requirements: ['LEG-WEB-POST-KEYFILE-DATA', 'LEG-WEB-POST-KEYFILE-NAME'],
  role: 'tenant_web',
  provesFunction: true,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const { u, text, sealed } = keyFile()
    const files = (encode: (text: string) => string) => ({
      ...{ keyfile_data: encode(text), file_data: encode(sealed) },
    })
    const received = await addWithFiles({ tenants }, files)
    check('LEG-WEB-POST-KEYFILE-DATA', 'U at the agent')
      .of(toHex(received.u ?? new Uint8Array()))
      .is(toHex(u))
    check('LEG-WEB-POST-KEYFILE-DATA', 'the payload, opened with K')
      .of(received.payload?.toString('utf8'))
      .is(PAYLOAD)
    const { added } = await addWithFiles({ tenants }, (encode) => ({
      ...{ ...files(encode), keyfile_name: 'keys.txt', file_name: 'payload.enc' },
    }))
    check('LEG-WEB-POST-KEYFILE-NAME', 'agents added with a named key file').of(added).is(1)
  },
})
