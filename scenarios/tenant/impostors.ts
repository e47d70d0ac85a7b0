import { scenario } from '../../conformance/scenario.ts'
import { tenantImpostors } from './support/tenant-impostors.ts'
import { tenantOperations } from './support/tenant-operations.ts'

const MATRIX = 'tenant-identity'
const cellOf = (id: string) => `tenant identity ${id}`

/** Agents that are impostors or have a TPM of unknown origin; a tenant must not send them the U key. */
export default tenantImpostors.map(({ id, says, requirement, needs, stage: mutated }) =>
  scenario({
    id: `tenant.impostors.${id}`,
    title: `A tenant does not send the U key to an agent ${says}`,
    requirements: [requirement],
    role: 'tenant',
    seconds: 2,
    since: '2.1',
    until: '2.5',
    perMajor: true,
    variantOf: 'tenant.added',
    ...(needs && { needs }),
    matrix: { name: MATRIX, cells: () => [cellOf(id)] },
    async run({ tenants, check, observe }) {
      const stage = await tenants.stage(mutated()) // the defect
      const file = stage.file('payload', 'for the agent only\n')
      const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file)
      // An agent that is added again may be another one since, and without a payload its key is a secret too.
      await stage.run('-c', 'update', '-u', stage.agentId)
      const { sentU, added } = tenantOperations(stage)
      const received = check(requirement, 'U keys sent to the agent', cellOf(id)).of(sentU)
      if (requirement === 'TEN-CHECKS-EK-MISSING')
        received.meets({ 'not added': (keys) => keys === 0, added: (keys) => keys > 0 })
      else received.is(0)
      observe('IDQUOTE', 'agents added at the verifier', added.length)
      observe('TENANTEXIT', 'exit code', code)
    },
  }),
)
