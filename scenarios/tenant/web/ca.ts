import { scenario } from '../../../conformance/scenario.ts'
import { addWithFiles, archived } from '../support/web-requests.ts'

/** Not in the order of their names. */
const FILES = [
  ['second.txt', 'a file of the harness\n'],
  ['first.txt', 'another file of the harness\n'],
] as const

export default scenario({
  id: 'tenant-web.ca',
  title: 'The web application makes a package of a CA, with the files that the request includes',
  requirements: [
    ...['LEG-WEB-POST-CA-DIR', 'LEG-WEB-POST-INCLUDE-DIR-DATA', 'LEG-WEB-POST-INCLUDE-DIR-NAME'],
  ],
  role: 'tenant_web',
  since: '2.0',
  until: '2.0',
  async run({ tenants, check }) {
    const { payload } = await addWithFiles({ tenants }, (encode) => ({
      ...{ ca_dir: 'harness', ca_dir_pw: 'a password' },
      include_dir_data: FILES.map(([, content]) => encode(content)),
      include_dir_name: FILES.map(([name]) => name),
    }))
    for (const [name, content] of FILES) {
      const { isArchive, hasContent, hasName } = archived(payload, name, content)
      check('LEG-WEB-POST-CA-DIR', 'whether the payload is an archive').of(isArchive).is(true)
      check('LEG-WEB-POST-INCLUDE-DIR-DATA', `whether the content of ${name} is in it`)
        .of(hasContent)
        .is(true)
      check('LEG-WEB-POST-INCLUDE-DIR-NAME', `whether the name ${name} is in it`)
        .of(hasName)
        .is(true)
    }
  },
})
