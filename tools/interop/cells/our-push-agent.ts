import { randomUUID } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { theirTenant, withPushAgent } from '../programs.ts'
import { awaitMember } from '../states.ts'
import { type MachineWithLogs, onMachine, type World } from '../world.ts'

/** How their tenant finds the verifier that agents come to. */
function towardsPush({ places }: World) {
  return {
    KEYLIME_DIR: places.pushDirectory,
    KEYLIME_TENANT_VERIFIER_PORT: String(places.ports.push),
  }
}

async function meet(world: World, on: MachineWithLogs, id: string): Promise<string> {
  const there = towardsPush(world)
  const words = ['-c', 'add', '--push-model', '-u', id, '--runtime-policy', on.policy]
  await theirTenant(world, words, there)
  const { pushDirectory: directory, ports } = world.places
  const agent = { directory, port: ports.push, id }
  await awaitMember(agent, 'attestation_status', 'PASS')
  await on.machine.play('measure /usr/bin/unknown')
  on.logs.sync()
  await awaitMember(agent, 'attestation_status', 'FAIL')
  await theirTenant(world, ['-c', 'delete', '--push-model', '-u', id], there)
  return 'added; PASS; a file more: FAIL; deleted'
}

/** Our push agent at their verifier, enrolled by their tenant. */
export const ourPushAgent: Cell = {
  id: 'our-push-agent',
  says: 'our push agent registers with their registrar, is added by their tenant, attested by their verifier',
  run: (world) =>
    onMachine(world, (on) => {
      const { directory, ports } = world.places
      const { registrar, push: verifier } = ports
      const place = { id: randomUUID(), on, directory, registrar, verifier }
      return withPushAgent(world, place, () => meet(world, on, place.id))
    }),
}
