import { loadConfig } from '../config/config.ts'
import { StartFault } from '../errors.ts'
import type { Outcome } from './commands/command.ts'
import { COMMANDS, type CommandName } from './commands.ts'
import { type Invocation, parseTenantOptions } from './parse-options.ts'
import { openTenant } from './tenant.ts'
import { TenantFault } from './tenant-fault.ts'
import { TENANT_PARTS, type TenantParts } from './tenant-parts.ts'

interface Writer {
  write(text: string): unknown
}

/** The streams for the result and for progress. */
export interface Streams {
  readonly out: Writer
  readonly err: Writer
}

/**
 * `assay tenant`: one command of an administrator. The result goes to `out`, progress to `err`.
 * Returns the exit code: 0 done, 1 refused or not known.
 *
 * @throws {StartFault} exit code 2: no server could be reached, or the options or files cannot be used
 */
export async function tenantMain(
  argv: readonly string[],
  parts: TenantParts = TENANT_PARTS,
  { out, err }: Streams = { out: process.stdout, err: process.stderr },
): Promise<number> {
  const invocation = parseTenantOptions(argv)
  if (invocation === undefined) return 0
  try {
    const { result, text } = await run(invocation, parts, err)
    const done = { ...headOf(invocation.command), outcome: 'done', result }
    out.write(invocation.options.json ? presentJson(done) : `${text}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof StartFault)) throw error
    if (invocation.options.json) out.write(presentJson(presentFault(invocation.command, error)))
    if (!(error instanceof TenantFault) || error.exit === 2) throw error
    const next =
      error.next === undefined
        ? ''
        : `next: ${error.next}
`
    err.write(`assay: ${error.sentence} [${error.code}]
${next}`)
    return 1
  }
}

async function run(
  { command, options }: Invocation,
  parts: TenantParts,
  err: Writer,
): Promise<Outcome> {
  const config = loadConfig('tenant', options.config, options.set)
  const tenant = openTenant(config, options, parts, (sentence) => err.write(`${sentence}\n`))
  try {
    const execute = await COMMANDS[command].load()
    return await execute(tenant, options)
  } finally {
    tenant.close()
  }
}

function headOf(command: CommandName) {
  return { schema: 'assay.tenant/1', command }
}

function presentFault(command: CommandName, fault: StartFault) {
  const [code, exit] = fault instanceof TenantFault ? [fault.code, fault.exit] : ['usage', 2]
  return {
    ...headOf(command),
    outcome: exit === 1 ? 'refused' : 'fault',
    ...{ code, sentence: fault.sentence, next: fault.next ?? null },
  }
}

function presentJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
