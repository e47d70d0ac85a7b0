import { scenario } from '../../../conformance/scenario.ts'
import { checkListed } from '../support/check-listed.ts'

export default scenario({
  id: 'registrar.version.listed-answers',
  title: 'The registrar serves each version that GET /version lists',
  requirements: ['REG-VERSION-LISTED-ANSWERS'],
  role: 'registrar',
  since: '2.3',
  run: checkListed,
})
