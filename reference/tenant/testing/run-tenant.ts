import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Composed, composed } from '../../dev/testing/composed.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { StartFault } from '../../errors.ts'
import { ensureTlsDirectory } from '../../pki/tls-directory.ts'
import { tenantMain } from '../tenant-main.ts'
import { TENANT_PARTS, type TenantParts } from '../tenant-parts.ts'

/** The result of a command. */
export interface CommandResult {
  /** 2 for a fault that is thrown, as `assay` makes of it. */
  readonly code: number
  /** What went to stdout. */
  readonly out: string
  /** What went to stderr, or the sentence of the fault. */
  readonly err: string
  readonly next: string | undefined
}

export interface TestTenant {
  /** Says the words of a command, and a few settings behind them. */
  say(...words: string[]): Promise<CommandResult>
  /** The same with `--json`, read. */
  sayJson(...words: string[]): Promise<Record<string, unknown>>
  /** Waits that were not waited, in milliseconds. */
  readonly pauses: readonly number[]
}

/** A tenant whose words always end with these settings; it does not really wait. */
export function tenantWith(
  settings: readonly string[],
  change: Partial<TenantParts> = {},
): TestTenant {
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const parts = { ...TENANT_PARTS, pause, ...change }
  const say = (...words: string[]) =>
    run([...words, ...settings.flatMap((setting) => ['--set', setting])], parts)
  return {
    ...{ say, pauses },
    sayJson: async (...words) => checked(JSON.parse((await say(...words, '--json')).out)),
  }
}

const SCHEMA = new URL('../../../reports/schema/tenant.schema.json', import.meta.url)
const fits = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')))

/** JSON output must match its published schema. */
function checked(printed: Record<string, unknown>): Record<string, unknown> {
  if (fits(printed)) return printed
  throw new Error(`not by the schema: ${JSON.stringify(fits.errors)}`)
}

async function run(words: readonly string[], parts: TenantParts): Promise<CommandResult> {
  const said = { out: '', err: '' }
  const into = (stream: 'out' | 'err') => ({
    write: (text: string) => {
      said[stream] += text
    },
  })
  try {
    const code = await tenantMain(words, parts, { out: into('out'), err: into('err') })
    return { ...said, code, next: undefined }
  } catch (error) {
    if (!(error instanceof StartFault)) throw error
    return { ...said, code: 2, err: said.err + error.sentence, next: error.next }
  }
}

/** A tenant of a verifier and a registrar that run, with the certificate of the administrator. */
export async function tenantOfBoth(
  settings: readonly string[] = [],
  change: Partial<TenantParts> = {},
): Promise<TestTenant & Composed> {
  const both = await composed(settings)
  const places = [
    `state_dir=${both.state_dir}`,
    `verifier_port=${both.portOf('verifier')}`,
    `registrar_port=${both.portOf('registrar')}`,
  ]
  return { ...both, ...tenantWith(places, change) }
}

/** A state directory as a verifier makes it, for a tenant whose servers are played. */
export async function stateDirectory(): Promise<string> {
  const state_dir = temporaryDirectory()
  const directory = join(state_dir, 'cv_ca')
  await ensureTlsDirectory({ directory, hosts: [], now: Date.now() })
  return state_dir
}
