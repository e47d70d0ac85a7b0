import { randomUUID } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { expectIn } from '../disagreement.ts'
import { ourTenant, withPullAgent } from '../programs.ts'
import { awaitMember, expectGone, GET_QUOTE, TENANT_FAILED } from '../states.ts'
import { type MachineWithLogs, onMachine, type World } from '../world.ts'

async function meet(world: World, on: MachineWithLogs, id: string): Promise<string> {
  const { directory, ports } = world.places
  const who = ['--uuid', id, '--runtime-policy', on.policy, '-f', on.policy]
  await ourTenant(world, ['add', ...who])
  await awaitMember({ directory, port: ports.pull, id }, 'operational_state', GET_QUOTE)
  const status = await ourTenant(world, ['cvstatus', '--uuid', id, '--json'])
  expectIn('cvstatus of our tenant', 'operational_state', status.output)
  const list = await ourTenant(world, ['reglist', '--json'])
  expectIn('reglist of our tenant', id, list.output)
  const named = ['--runtime-policy-name', 'ours']
  await ourTenant(world, ['addruntimepolicy', ...named, '--runtime-policy', on.policy])
  const policies = await ourTenant(world, ['listruntimepolicies', '--json'])
  expectIn('listruntimepolicies of our tenant', 'ours', policies.output)
  await ourTenant(world, ['deleteruntimepolicy', ...named])
  await ourTenant(world, ['stop', '--uuid', id])
  await awaitMember({ directory, port: ports.pull, id }, 'operational_state', TENANT_FAILED)
  await ourTenant(world, ['delete', '--uuid', id])
  await expectGone({ directory, port: ports.pull, id })
  return 'add, cvstatus, reglist, runtime policies by name, stop, delete'
}

/** Our tenant at their servers, with our agent between them. */
export const ourTenantCell: Cell = {
  id: 'our-tenant',
  says: 'our tenant adds an agent to their verifier, reads, stops and deletes it, and manages policies',
  run: (world) =>
    onMachine(world, (on) => {
      const { directory, ports } = world.places
      const place = { id: randomUUID(), on, directory, registrar: ports.registrar }
      return withPullAgent(world, place, () => meet(world, on, place.id))
    }),
}
