import { scenario } from '../../conformance/scenario.ts'
import { nodeKeyOf, STRANGER } from './support/engine.ts'
import { tenantKeys, tenantOperations } from './support/tenant-operations.ts'

export default scenario({
  id: 'tenant.key-apart',
  title: 'A tenant encrypts U for the public key in the quote of the agent, and for no other one',
  requirements: ['TEN-SENDS-U-ENCRYPTED'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, check }) {
    const stage = await tenants.stage({ unquotedKey: nodeKeyOf(STRANGER).publicPem }) // the defect: no quote has this key
    const file = stage.file('payload', 'for the agent only\n')
    await stage.run('-c', 'add', '-u', stage.agentId, '-f', file)
    const operations = tenantOperations(stage)
    const isOpened = () => tenantKeys(stage, operations.added[0] ?? {}).u !== undefined
    check('TEN-SENDS-U-ENCRYPTED', 'U, if the agent gives another public key at keys/pubkey')
      .of(operations.sentU === 0 ? 'not sent' : { opensWithQuotedKey: isOpened() })
      .isOneOf(['not sent', { opensWithQuotedKey: true }])
  },
})
