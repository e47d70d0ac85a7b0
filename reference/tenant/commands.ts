import type { Command, Run } from './commands/command.ts'

const command = (about: string, load: () => Promise<Run>): Command => ({ about, load })

const RUNTIME = async () => (await import('./policies/policy-kinds.ts')).RUNTIME_POLICY
const BOOT = async () => (await import('./policies/policy-kinds.ts')).BOOT_POLICY

/** Every command, in upstream's spelling. */
export const COMMANDS = {
  add: command(
    'enrol an agent, and hand it its payload',
    async () => (await import('./commands/add.ts')).add,
  ),
  update: command(
    'delete an agent from the verifier, and add it again',
    async () => (await import('./commands/update.ts')).update,
  ),
  delete: command(
    'end the verification of an agent',
    async () => (await import('./commands/delete-agent.ts')).deleteAgent,
  ),
  stop: command(
    'stop the verification of an agent, which then has failed',
    async () => (await import('./commands/stop.ts')).stop,
  ),
  reactivate: command(
    'begin the verification of an agent again',
    async () => (await import('./commands/reactivate.ts')).reactivate,
  ),
  status: command(
    'what verifier and registrar know of an agent',
    async () => (await import('./commands/status.ts')).status,
  ),
  cvstatus: command(
    'what the verifier knows of an agent',
    async () => (await import('./commands/cvstatus.ts')).cvstatus,
  ),
  regstatus: command(
    'what the registrar knows of an agent',
    async () => (await import('./commands/regstatus.ts')).regstatus,
  ),
  cvlist: command(
    'agents of the verifier',
    async () => (await import('./commands/cvlist.ts')).cvlist,
  ),
  reglist: command(
    'agents of the registrar',
    async () => (await import('./commands/reglist.ts')).reglist,
  ),
  bulkinfo: command(
    'every agent of the verifier with its status',
    async () => (await import('./commands/bulkinfo.ts')).bulkinfo,
  ),
  regdelete: command(
    'take an agent out of the registrar',
    async () => (await import('./commands/regdelete.ts')).regdelete,
  ),
  addruntimepolicy: command('give the verifier a runtime policy', async () =>
    (await import('./commands/add-policy.ts')).addPolicy(await RUNTIME()),
  ),
  updateruntimepolicy: command('put another in its place', async () =>
    (await import('./commands/update-policy.ts')).updatePolicy(await RUNTIME()),
  ),
  showruntimepolicy: command('print a runtime policy', async () =>
    (await import('./commands/show-policy.ts')).showPolicy(await RUNTIME()),
  ),
  deleteruntimepolicy: command('take a runtime policy away', async () =>
    (await import('./commands/delete-policy.ts')).deletePolicy(await RUNTIME()),
  ),
  listruntimepolicies: command('names of the runtime policies', async () =>
    (await import('./commands/list-policies.ts')).listPolicies(await RUNTIME()),
  ),
  addmbpolicy: command('give the verifier a measured boot policy', async () =>
    (await import('./commands/add-policy.ts')).addPolicy(await BOOT()),
  ),
  updatembpolicy: command('put another in its place', async () =>
    (await import('./commands/update-policy.ts')).updatePolicy(await BOOT()),
  ),
  showmbpolicy: command('print a measured boot policy', async () =>
    (await import('./commands/show-policy.ts')).showPolicy(await BOOT()),
  ),
  deletembpolicy: command('take a measured boot policy away', async () =>
    (await import('./commands/delete-policy.ts')).deletePolicy(await BOOT()),
  ),
  listmbpolicies: command('names of the measured boot policies', async () =>
    (await import('./commands/list-policies.ts')).listPolicies(await BOOT()),
  ),
} as const satisfies Record<string, Command>

export type CommandName = keyof typeof COMMANDS
