import { scenario } from '../../../conformance/scenario.ts'
import { addWithFiles, PAYLOAD } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.file',
  title: 'The web application gives an agent a file, with or without its name',
  requirements: ['LEG-WEB-POST-FILE-DATA', 'LEG-WEB-POST-FILE-NAME'],
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
  },
})
