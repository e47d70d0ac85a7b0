import { scenario } from '../../../conformance/scenario.ts'
import { addByWeb } from '../support/web-requests.ts'

export default scenario({
  id: 'tenant-web.ca-password',
  title:
    'The web application uses a CA again with its password, and not with another one or without one',
  requirements: ['LEG-WEB-POST-CA-DIR-PW'],
  role: 'tenant_web',
  since: '2.0',
  until: '2.0',
  variantOf: 'tenant-web.ca',
  async run({ tenants, check }) {
    const { directory } = await tenants.stage()
    const add = async (password: object) => {
      const stage = await tenants.stage({ directory })
      return (await addByWeb(await stage.web(), stage, { ca_dir: 'locked', ...password })).added
    }
    const right = { ca_dir_pw: 'a password' }
    for (const time of ['first', 'second'])
      check('LEG-WEB-POST-CA-DIR-PW', `agents added for the ${time} time with a password`)
        .of(await add(right))
        .is(1)
    check('LEG-WEB-POST-CA-DIR-PW', 'agents added with another password')
      .of(await add({ ca_dir_pw: 'another password' })) // the defect
      .is(0)
    check('LEG-WEB-POST-CA-DIR-PW', 'agents added without a password')
      .of(await add({})) // the defect
      .is(0)
  },
})
