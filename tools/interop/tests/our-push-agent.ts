import { randomUUID } from 'node:crypto'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, towardsPush, withPushAgent } from '../programs.ts'
import { expectPushLife, PUSH } from '../states.ts'

function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const there = towardsPush(environment)
  const { pushDirectory: directory, ports } = environment.places
  const agent = { directory, port: ports.push, id }
  return expectPushLife(on, agent, PUSH, (...words) => keylimeTenant(environment, words, there))
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
