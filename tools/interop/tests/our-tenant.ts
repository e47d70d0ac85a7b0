import { randomUUID } from 'node:crypto'
import { expectIn } from '../disagreement.ts'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { ourTenant, withPullAgent } from '../programs.ts'
import { awaitMember, expectGone, GET_QUOTE, TENANT_FAILED } from '../states.ts'

async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const { directory, ports } = environment.places
  const who = ['--uuid', id, '--runtime-policy', on.policy, '-f', on.policy]
  await ourTenant(environment, ['add', ...who])
  await awaitMember({ directory, port: ports.pull, id }, 'operational_state', GET_QUOTE)
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
  await awaitMember({ directory, port: ports.pull, id }, 'operational_state', TENANT_FAILED)
  await ourTenant(environment, ['delete', '--uuid', id])
  await expectGone({ directory, port: ports.pull, id })
  return 'add, cvstatus, reglist, runtime policies by name, stop, delete'
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
