import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../../conformance/attempt/poll.ts'
import { expectSame } from '../disagreement.ts'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, withPullAgent } from '../programs.ts'
import { awaitMember, GET_QUOTE, INVALID_QUOTE } from '../states.ts'

const SECRET = 'payload of the tenant'
const PAYLOAD_MS = 30_000

async function expectPayload(on: MachineWithLogs): Promise<void> {
  const file = join(on.directory, 'agent', 'secure', 'decrypted_payload')
  await until(() => existsSync(file), { withinMs: PAYLOAD_MS })
  expectSame('the payload', SECRET, existsSync(file) ? readFileSync(file, 'utf8') : 'nothing')
}

async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const payload = join(on.directory, 'payload')
  writeFileSync(payload, SECRET)
  const anything = join(on.directory, 'boot-policy.json')
  writeFileSync(anything, '{}')
  const who = ['-u', id, '-t', '127.0.0.1', '-tp', String(on.port), '-f', payload, '--verify']
  const policies = ['--runtime-policy', on.policy, '--mb-policy', anything]
  await keylimeTenant(environment, ['-c', 'add', ...who, ...policies])
  const { directory, ports } = environment.places
  const agent = { directory, port: ports.pull, id }
  await awaitMember(agent, 'operational_state', GET_QUOTE)
  await expectPayload(on)
  await on.machine.play('measure /usr/bin/unknown')
  on.logs.sync()
  await awaitMember(agent, 'operational_state', INVALID_QUOTE)
  await keylimeTenant(environment, ['-c', 'delete', '-u', id])
  return 'added with IMA list, boot log and payload; Get Quote; after an unknown file Invalid Quote; deleted'
}

/** Keylime's tenant enrols our pull agent, and Keylime's verifier polls it. */
export const ourPullAgent: InteropTest = {
  id: 'our-pull-agent',
  title:
    "our pull agent registers with Keylime's registrar; Keylime's tenant adds it, Keylime's verifier attests it",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { directory, ports } = environment.places
      const place = { id: randomUUID(), on, directory, registrar: ports.registrar }
      return withPullAgent(environment, place, () => runSteps(environment, on, place.id))
    }),
}
