import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, withPullAgent } from '../programs.ts'
import { expectAttested, expectCycle, expectFile, PULL } from '../states.ts'

const SECRET = 'payload of the tenant'
async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const payload = join(on.directory, 'payload')
  writeFileSync(payload, SECRET)
  // The boot policy engine that Keylime's verifier has by default accepts every boot.
  const anything = join(on.directory, 'boot-policy.json')
  writeFileSync(anything, '{}')
  const who = ['-u', id, '-t', '127.0.0.1', '-tp', String(on.port), '-f', payload, '--verify']
  const enrol = (command: string, policy: string) => {
    const policies = ['--runtime-policy', policy, '--mb-policy', anything]
    return keylimeTenant(environment, ['-c', command, ...who, ...policies])
  }
  await enrol('add', on.policy)
  const { directory, ports } = environment.places
  const agent = { directory, port: ports.pull, id }
  await expectAttested(agent, PULL)
  await expectFile(join(on.directory, 'agent', 'secure', 'decrypted_payload'), SECRET)
  await expectCycle(on, agent, PULL, (policy) => enrol('update', policy))
  await keylimeTenant(environment, ['-c', 'delete', '-u', id])
  return 'added with IMA list, boot log and payload; attested; failed after an unknown file; updated and attested; deleted'
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
