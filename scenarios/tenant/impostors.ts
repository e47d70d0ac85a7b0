import { scenario } from '../../conformance/scenario.ts'
import { tenantImpostors, tenantOperations } from './support/tenant-operations.ts'

const MATRIX = 'tenant-identity'
const cellOf = (id: string) => `tenant identity ${id}`

/** Whoever answers in the place of the agent, or for a TPM that nobody made: U is not for them. */
export default tenantImpostors.map(({ id, says, requirement, stage: mutated }) =>
  scenario({
    id: `tenant.impostors.${id}`,
    title: `A tenant does not send the U key to an agent ${says}`,
    requirements: [requirement],
    role: 'tenant',
    since: '2.1',
    until: '2.5',
    perMajor: true,
    variantOf: 'tenant.added',
    matrix: { name: MATRIX, cells: () => [cellOf(id)] },
    async run({ tenants, check, observe }) {
      const stage = await tenants.stage(mutated()) // the defect
      const file = stage.file('payload', 'for the agent alone\n')
      const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file)
      const { sentU, added } = tenantOperations(stage)
      check(requirement, 'U keys that the agent was sent', cellOf(id)).of(sentU).is(0)
      observe('IDQUOTE', 'agents that the verifier was given', added.length)
      observe('TENANTEXIT', 'exit code', code)
    },
  }),
)
