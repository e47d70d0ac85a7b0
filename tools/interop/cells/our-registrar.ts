import { randomUUID } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { expectIn } from '../disagreement.ts'
import { theirTenant, towards, withPullAgent } from '../programs.ts'
import { expectGone } from '../states.ts'
import { onMachine, type World } from '../world.ts'

async function meet(world: World, id: string): Promise<string> {
  const ours = towards(world.ours)
  const status = await theirTenant(world, ['-c', 'regstatus', '-u', id], ours)
  expectIn('regstatus of their tenant', '"ek_tpm"', status.output)
  const list = await theirTenant(world, ['-c', 'reglist'], ours)
  expectIn('reglist of their tenant', id, list.output)
  await theirTenant(world, ['-c', 'regdelete', '-u', id], ours)
  const { directory, registrar } = world.ours
  await expectGone({ directory, port: registrar, id })
  return 'regstatus, reglist, regdelete'
}

/** Our registrar, asked by their tenant. */
export const ourRegistrar: Cell = {
  id: 'our-registrar',
  says: 'their tenant lists, reads and deletes an agent at our registrar',
  run: (world) =>
    onMachine(world, (on) => {
      const { directory, registrar } = world.ours
      const place = { id: randomUUID(), on, directory, registrar }
      return withPullAgent(world, place, () => meet(world, place.id))
    }),
}
