import { randomUUID } from 'node:crypto'
import { expectIn } from '../disagreement.ts'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { ourTenant, withPullAgent, withPushAgent } from '../programs.ts'
import {
  awaitMember,
  expectCycle,
  expectGone,
  expectPushLife,
  PULL,
  PUSH,
  TENANT_FAILED,
} from '../states.ts'

async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const { directory, ports } = environment.places
  const agent = { directory, port: ports.pull, id }
  const enrol = (command: string, policy: string) => {
    const who = ['--uuid', id, '--runtime-policy', policy, '-f', on.policy]
    return ourTenant(environment, [command, ...who])
  }
  await enrol('add', on.policy)
  await expectCycle(on, agent, PULL, (policy) => enrol('update', policy))
  const status = await ourTenant(environment, ['cvstatus', '--uuid', id, '--json'])
  expectIn('cvstatus of our tenant', 'operational_state', status.output)
  const list = await ourTenant(environment, ['reglist', '--json'])
  expectIn('reglist of our tenant', id, list.output)
  const named = ['--runtime-policy-name', 'ours']
  await ourTenant(environment, ['addruntimepolicy', ...named, '--runtime-policy', on.policy])
  const policies = await ourTenant(environment, ['listruntimepolicies', '--json'])
  expectIn('listruntimepolicies of our tenant', 'ours', policies.output)
  await ourTenant(environment, ['deleteruntimepolicy', ...named])
  await ourTenant(environment, ['stop', '--uuid', id])
  await awaitMember(agent, 'operational_state', TENANT_FAILED)
  await ourTenant(environment, ['delete', '--uuid', id])
  await expectGone(agent)
  return 'add; failed after an unknown file; update; cvstatus, reglist, runtime policies by name, stop, delete'
}

/** Our tenant uses Keylime's servers with our pull agent. */
export const ourTenantTest: InteropTest = {
  id: 'our-tenant',
  title:
    "our tenant adds an agent to Keylime's verifier, reads, stops and deletes it, and manages policies",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { directory, ports } = environment.places
      const place = { id: randomUUID(), on, directory, registrar: ports.registrar }
      return withPullAgent(environment, place, () => runSteps(environment, on, place.id))
    }),
}

function runPushSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const { pushDirectory: directory, ports } = environment.places
  const servers = { directory, verifier: ports.push, registrar: ports.registrar }
  const agent = { directory, port: ports.push, id }
  return expectPushLife(on, agent, PUSH, (...words) => ourTenant(environment, words, servers))
}

/** Our tenant uses Keylime's verifier for push agents with our push agent. */
export const ourTenantOfPushAgents: InteropTest = {
  id: 'our-tenant-push',
  title: "our tenant adds a push agent to Keylime's verifier, updates and deletes it",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { pushDirectory: directory, ports } = environment.places
      const { registrar, push: verifier } = ports
      const place = { id: randomUUID(), on, directory, registrar, verifier }
      return withPushAgent(environment, place, () => runPushSteps(environment, on, place.id))
    }),
}
