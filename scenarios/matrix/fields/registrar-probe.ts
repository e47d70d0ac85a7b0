import { scenario } from '../../../conformance/scenario.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.registrar-probe',
  title: 'The registrar answers the probe for 3.0 with the members of the document',
  ...fieldsOf(['registrar.probe']),
  role: 'registrar',
  since: '3.0',
  async run({ registrar, checkReply }) {
    checkReply('registrar.probe', await registrar.call('probe'))
  },
})
