import { REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.records.unknown',
  title: 'The registrar answers read, activation and deletion of an unregistered id with an error',
  requirements: [
    'REG-READ-UNKNOWN-NO-RECORD',
    'REG-READ-UNKNOWN',
    'REG-DELETE-UNKNOWN',
    'REG-ACTIVATE-UNKNOWN',
  ],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.agents.listed-and-deleted',
  async run({ registrar, verifier, machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'activated' })
    await registrar.delete(agent.id, verifier.admin) // the defect: it is no longer registered
    const read = await registrar.read(agent.id, verifier.admin)
    check('REG-READ-UNKNOWN-NO-RECORD', 'reading')
      .of(read)
      .matches(...REFUSED)
    check('REG-READ-UNKNOWN', 'reading')
      .of(read)
      .matches(...REFUSED)
    const deleted = await registrar.delete(agent.id, verifier.admin)
    check('REG-DELETE-UNKNOWN', 'deleting')
      .of(deleted)
      .matches(...REFUSED)
    const activated = await agent.activate('0'.repeat(96))
    check('REG-ACTIVATE-UNKNOWN', 'activating')
      .of(activated)
      .matches(...REFUSED)
    observe('unknown-read', 'status of reading', read.status)
    observe('unknown-delete', 'status of deleting', deleted.status)
    observe('unknown-activate', 'status of activating', activated.status)
  },
})
