import { randomUUID } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { expectIn } from '../disagreement.ts'
import { theirTenant, towards, withPullAgent } from '../programs.ts'
import { awaitMember, expectGone, GET_QUOTE } from '../states.ts'
import { type MachineWithLogs, onMachine, type World } from '../world.ts'

async function meetPolicies(world: World, on: MachineWithLogs): Promise<void> {
  const ours = towards(world.ours)
  const named = ['--runtime-policy-name', 'theirs']
  await theirTenant(
    world,
    ['-c', 'addruntimepolicy', ...named, '--runtime-policy', on.policy],
    ours,
  )
  const shown = await theirTenant(world, ['-c', 'showruntimepolicy', ...named], ours)
  expectIn('showruntimepolicy of their tenant', "'name': 'theirs'", shown.output)
  const list = await theirTenant(world, ['-c', 'listruntimepolicy'], ours)
  expectIn('listruntimepolicy of their tenant', 'theirs', list.output)
  await theirTenant(world, ['-c', 'deleteruntimepolicy', ...named], ours)
}

async function meet(world: World, on: MachineWithLogs, id: string): Promise<string> {
  const ours = towards(world.ours)
  const { directory, verifier } = world.ours
  const who = ['-u', id, '-t', '127.0.0.1', '-tp', String(on.port)]
  const words = ['-c', 'add', ...who, '-f', on.policy, '--runtime-policy', on.policy]
  await theirTenant(world, words, ours)
  await awaitMember({ directory, port: verifier, id }, 'operational_state', GET_QUOTE)
  const status = await theirTenant(world, ['-c', 'cvstatus', '-u', id], ours)
  expectIn('cvstatus of their tenant', 'operational_state', status.output)
  await meetPolicies(world, on)
  await theirTenant(world, ['-c', 'delete', '-u', id], ours)
  await expectGone({ directory, port: verifier, id })
  return 'add, cvstatus, runtime policies by name, delete'
}

/** Our verifier and its agent, managed by their tenant. */
export const ourVerifier: Cell = {
  id: 'our-verifier',
  says: 'their tenant adds an agent to our verifier, reads it, manages policies, deletes it',
  run: (world) =>
    onMachine(world, (on) => {
      const { directory, registrar } = world.ours
      const place = { id: randomUUID(), on, directory, registrar }
      return withPullAgent(world, place, () => meet(world, on, place.id))
    }),
}
