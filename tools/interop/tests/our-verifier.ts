import { randomUUID } from 'node:crypto'
import { expectIn } from '../disagreement.ts'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, towards, withPullAgent } from '../programs.ts'
import { awaitMember, expectGone, GET_QUOTE } from '../states.ts'

async function checkPolicies(environment: InteropEnvironment, on: MachineWithLogs): Promise<void> {
  const ours = towards(environment.ours)
  const named = ['--runtime-policy-name', 'theirs']
  await keylimeTenant(
    environment,
    ['-c', 'addruntimepolicy', ...named, '--runtime-policy', on.policy],
    ours,
  )
  const shown = await keylimeTenant(environment, ['-c', 'showruntimepolicy', ...named], ours)
  expectIn("showruntimepolicy of Keylime's tenant", "'name': 'theirs'", shown.output)
  const list = await keylimeTenant(environment, ['-c', 'listruntimepolicy'], ours)
  expectIn("listruntimepolicy of Keylime's tenant", 'theirs', list.output)
  await keylimeTenant(environment, ['-c', 'deleteruntimepolicy', ...named], ours)
}

async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const ours = towards(environment.ours)
  const { directory, verifier } = environment.ours
  const who = ['-u', id, '-t', '127.0.0.1', '-tp', String(on.port)]
  const words = ['-c', 'add', ...who, '-f', on.policy, '--runtime-policy', on.policy]
  await keylimeTenant(environment, words, ours)
  await awaitMember({ directory, port: verifier, id }, 'operational_state', GET_QUOTE)
  const status = await keylimeTenant(environment, ['-c', 'cvstatus', '-u', id], ours)
  expectIn("cvstatus of Keylime's tenant", 'operational_state', status.output)
  await checkPolicies(environment, on)
  await keylimeTenant(environment, ['-c', 'delete', '-u', id], ours)
  await expectGone({ directory, port: verifier, id })
  return 'add, cvstatus, runtime policies by name, delete'
}

/** Keylime's tenant manages our verifier and an agent. */
export const ourVerifier: InteropTest = {
  id: 'our-verifier',
  title: "Keylime's tenant adds an agent to our verifier, reads it, manages policies, deletes it",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { directory, registrar } = environment.ours
      const place = { id: randomUUID(), on, directory, registrar }
      return withPullAgent(environment, place, () => runSteps(environment, on, place.id))
    }),
}
