import { results, scenario } from '../../conformance/scenario.ts'
import { checkListed } from './support/check-listed.ts'

export default scenario({
  id: 'registrar.unused',
  title:
    'A registrar without agents lists none; one without 3.0 neither lists it nor answers its probe',
  requirements: ['REG-LIST-EMPTY', 'REG-V3-PROBE-ABSENT', 'REG-VERSION-LISTED-ANSWERS'],
  role: 'registrar',
  since: '2.5',
  until: '2.5',
  settings: 'unused',
  async run(context) {
    const { registrar, verifier, check, hasSettings, notApplicable } = context
    if (!hasSettings) notApplicable('the target file names no registrar with the settings unused')
    const listed = await registrar.list(verifier.admin)
    check('REG-LIST-EMPTY', 'HTTP status').of(listed.status).is(200)
    check('REG-LIST-EMPTY', 'uuids').of(results(listed, 'uuids')).is([])
    const probe = await registrar.get('/v3.0/', { as: verifier.admin })
    check('REG-V3-PROBE-ABSENT', 'whether GET /v3.0/ gives 200')
      .of(probe.status === 200)
      .is(false)
    await checkListed(context)
  },
})
