import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../conformance/attempt/poll.ts'
import type { Cell } from '../cell.ts'
import { expectSame } from '../disagreement.ts'
import { theirTenant, withPullAgent } from '../programs.ts'
import { awaitMember, GET_QUOTE, INVALID_QUOTE } from '../states.ts'
import { type MachineWithLogs, onMachine, type World } from '../world.ts'

const SECRET = 'what the tenant sends along'
const PAYLOAD_MS = 30_000

async function expectPayload(on: MachineWithLogs): Promise<void> {
  const file = join(on.directory, 'agent', 'secure', 'decrypted_payload')
  await until(() => existsSync(file), { withinMs: PAYLOAD_MS })
  expectSame('the payload', SECRET, existsSync(file) ? readFileSync(file, 'utf8') : 'nothing')
}

async function meet(world: World, on: MachineWithLogs, id: string): Promise<string> {
  const payload = join(on.directory, 'payload')
  writeFileSync(payload, SECRET)
  const anything = join(on.directory, 'boot-policy.json')
  writeFileSync(anything, '{}')
  const who = ['-u', id, '-t', '127.0.0.1', '-tp', String(on.port), '-f', payload, '--verify']
  const policies = ['--runtime-policy', on.policy, '--mb-policy', anything]
  await theirTenant(world, ['-c', 'add', ...who, ...policies])
  const { directory, ports } = world.places
  const agent = { directory, port: ports.pull, id }
  await awaitMember(agent, 'operational_state', GET_QUOTE)
  await expectPayload(on)
  await on.machine.play('measure /usr/bin/unknown')
  on.logs.sync()
  await awaitMember(agent, 'operational_state', INVALID_QUOTE)
  await theirTenant(world, ['-c', 'delete', '-u', id])
  return 'added with IMA list, boot log and payload; Get Quote; a file more: Invalid Quote; deleted'
}

/** Our pull agent, enrolled by their tenant, polled by their verifier. */
export const ourPullAgent: Cell = {
  id: 'our-pull-agent',
  says: 'our pull agent registers with their registrar, is added by their tenant, attested by their verifier',
  run: (world) =>
    onMachine(world, (on) => {
      const { directory, ports } = world.places
      const place = { id: randomUUID(), on, directory, registrar: ports.registrar }
      return withPullAgent(world, place, () => meet(world, on, place.id))
    }),
}
