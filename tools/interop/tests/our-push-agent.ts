import { randomUUID } from 'node:crypto'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, towardsPush, withPushAgent } from '../programs.ts'
import { expectCycle, PUSH } from '../states.ts'

async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const there = towardsPush(environment)
  const enrol = (command: string, policy: string) => {
    const words = ['-c', command, '--push-model', '-u', id, '--runtime-policy', policy]
    return keylimeTenant(environment, words, there)
  }
  await enrol('add', on.policy)
  const { pushDirectory: directory, ports } = environment.places
  const agent = { directory, port: ports.push, id }
  await expectCycle(on, agent, PUSH, (policy) => enrol('update', policy))
  await keylimeTenant(environment, ['-c', 'delete', '--push-model', '-u', id], there)
  return 'added; attested; failed after an unknown file; updated and attested; deleted'
}

/** Keylime's tenant enrols our push agent with Keylime's verifier. */
export const ourPushAgent: InteropTest = {
  id: 'our-push-agent',
  title:
    "our push agent registers with Keylime's registrar; Keylime's tenant adds it, Keylime's verifier attests it",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { directory, ports } = environment.places
      const { registrar, push: verifier } = ports
      const place = { id: randomUUID(), on, directory, registrar, verifier }
      return withPushAgent(environment, place, () => runSteps(environment, on, place.id))
    }),
}
