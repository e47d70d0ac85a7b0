import { base64, scenario, toHex } from '../../../conformance/scenario.ts'
import { addByWeb, addWithFiles, keyFile, PAYLOAD } from '../support/web-requests.ts'

/** No text in UTF-8, in base64. An application that takes a file as it is delivers that text. */
const BYTES = Uint8Array.of(0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28)
const FILE = base64(BYTES)

export default scenario({
  id: 'tenant-web.file',
  title: 'The web application gives an agent a file, with or without its name, under new keys',
  requirements: ['LEG-WEB-POST-FILE-DATA', 'LEG-WEB-POST-FILE-NAME', 'LEG-WEB-KEYS-FRESH'],
  role: 'tenant_web',
  provesFunction: true,
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const { payload } = await addWithFiles({ tenants }, (encode) => ({
      file_data: encode(PAYLOAD),
    }))
    check('LEG-WEB-POST-FILE-DATA', 'the payload, opened with K')
      .of(payload?.toString('utf8'))
      .is(PAYLOAD)
    const { added } = await addWithFiles({ tenants }, (encode) => ({
      ...{ file_data: encode(PAYLOAD), file_name: 'payload.txt' },
    }))
    check('LEG-WEB-POST-FILE-NAME', 'agents added with a named file').of(added).is(1)
    const stage = await tenants.stage()
    const web = await stage.web()
    const first = await addByWeb(web, stage, { file_data: FILE })
    check('LEG-WEB-POST-FILE-DATA', 'a payload that is no text, in hexadecimal')
      .of(toHex(first.payload ?? new Uint8Array()))
      .isOneOf([toHex(BYTES), toHex(Buffer.from(FILE))])
    const { text, u } = keyFile()
    await addByWeb(web, stage, { keyfile_data: base64(Buffer.from(text)) })
    const again = await addByWeb(web, stage, {})
    check('LEG-WEB-POST-FILE-DATA', 'the payload of an addition without a file after that')
      .of(again.payload?.toString('utf8'))
      .is(undefined)
    check('LEG-WEB-KEYS-FRESH', 'keys that are the same when the application adds it again')
      .of((['u', 'k'] as const).filter((name) => String(again[name]) === String(first[name])))
      .is([])
    check('LEG-WEB-KEYS-FRESH', 'whether its U key is that of a key file of before')
      .of(toHex(again.u ?? new Uint8Array()) === toHex(u))
      .is(false)
  },
})
