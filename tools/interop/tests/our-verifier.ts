import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { POLICED_BOOT } from '../../../conformance/steps/boot-policies.ts'
import { expectIn } from '../disagreement.ts'
import { type InteropEnvironment, type MachineWithLogs, onMachine } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import { keylimeTenant, towards, withPullAgent, withPushAgent } from '../programs.ts'
import {
  awaitMember,
  awaitReason,
  expectAttested,
  expectCycle,
  expectGone,
  expectPushLife,
  PULL,
  PUSH_WITH_REASON,
} from '../states.ts'

/** Keylime's tenant with our servers; returns its output. */
function tenantOf(environment: InteropEnvironment) {
  const ours = towards(environment.ours)
  return async (command: string, ...words: readonly string[]): Promise<string> =>
    (await keylimeTenant(environment, ['-c', command, ...words], ours)).output
}

type Tenant = ReturnType<typeof tenantOf>

async function checkRuntimePolicies(tenant: Tenant, policy: string): Promise<void> {
  const named = ['--runtime-policy-name', 'theirs']
  await tenant('addruntimepolicy', ...named, '--runtime-policy', policy)
  const shown = await tenant('showruntimepolicy', ...named)
  expectIn("showruntimepolicy of Keylime's tenant", "'name': 'theirs'", shown)
  const list = await tenant('listruntimepolicy')
  expectIn("listruntimepolicy of Keylime's tenant", 'theirs', list)
  await tenant('deleteruntimepolicy', ...named)
}

/** Adds a boot policy that the boot of the machine violates, and returns the words that name it. */
async function addBootPolicy(tenant: Tenant, { directory }: MachineWithLogs) {
  const named = ['--mb-policy-name', 'of-another-boot']
  const file = join(directory, 'other-boot-policy.json')
  writeFileSync(file, JSON.stringify(POLICED_BOOT.otherPolicy))
  await tenant('addmbpolicy', ...named, '--mb-policy', file)
  expectIn(
    "showmbpolicy of Keylime's tenant",
    'of-another-boot',
    await tenant('showmbpolicy', ...named),
  )
  expectIn("listmbpolicy of Keylime's tenant", 'of-another-boot', await tenant('listmbpolicy'))
  return named
}

async function runSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const tenant = tenantOf(environment)
  const { directory, verifier } = environment.ours
  const agent = { directory, port: verifier, id }
  const boot = join(on.directory, 'boot-policy.json')
  writeFileSync(boot, JSON.stringify(POLICED_BOOT.policy))
  const who = ['-u', id, '-t', '127.0.0.1', '-tp', String(on.port), '-f', on.policy]
  const enrol = (command: string, policy: string, rest = ['--verify', '--mb-policy', boot]) =>
    tenant(command, ...who, '--runtime-policy', policy, ...rest)
  await enrol('add', on.policy)
  await expectCycle(on, agent, PULL, (policy) => enrol('update', policy))
  for (const command of ['cvstatus', 'bulkinfo'])
    expectIn(`${command} of Keylime's tenant`, 'operational_state', await tenant(command, '-u', id))
  expectIn("cvlist of Keylime's tenant", id, await tenant('cvlist'))
  await checkRuntimePolicies(tenant, on.policy)
  const recovered = on.writePolicy('recovered.json')
  const otherBoot = await addBootPolicy(tenant, on)
  await enrol('update', recovered, otherBoot)
  await awaitMember(agent, ...PULL.failing)
  await awaitReason(agent, 'measured_boot')
  await enrol('update', recovered)
  await expectAttested(agent, PULL)
  await tenant('reactivate', '-u', id)
  await expectAttested(agent, PULL)
  await tenant('deletembpolicy', ...otherBoot)
  await tenant('delete', '-u', id)
  await expectGone(agent)
  return 'added with both policies; failed after an unknown file and for another boot policy; updated and attested; read, listed, reactivated, deleted; policies by name'
}

/** Keylime's tenant manages our verifier and an agent. */
export const ourVerifier: InteropTest = {
  id: 'our-verifier',
  title: "Keylime's tenant adds an agent to our verifier, reads it, manages policies, deletes it",
  run: (environment) =>
    onMachine(
      environment,
      (on) => {
        const { directory, registrar } = environment.ours
        const place = { id: randomUUID(), on, directory, registrar }
        return withPullAgent(environment, place, () => runSteps(environment, on, place.id))
      },
      POLICED_BOOT.script,
    ),
}

function runPushSteps(
  environment: InteropEnvironment,
  on: MachineWithLogs,
  id: string,
): Promise<string> {
  const { ours } = environment
  const agent = { directory: ours.directory, port: ours.verifier, id }
  return expectPushLife(on, agent, PUSH_WITH_REASON, (...words) =>
    keylimeTenant(environment, words, towards(ours)),
  )
}

/** Keylime's tenant enrols a push agent with our verifier. */
export const ourVerifierOfPushAgents: InteropTest = {
  id: 'our-verifier-push',
  title: "Keylime's tenant adds a push agent to our verifier, updates and deletes it",
  run: (environment) =>
    onMachine(environment, (on) => {
      const { directory, registrar, verifier } = environment.ours
      const place = { id: randomUUID(), on, directory, registrar, verifier }
      return withPushAgent(environment, place, () => runPushSteps(environment, on, place.id))
    }),
}
