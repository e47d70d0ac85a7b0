import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { parseScript } from '../../simulator/machine/script.ts'
import type { Step } from '../../simulator/machine/verbs.ts'
import { AGENT_KINDS, type AgentKind, type Verdict } from './agent-kinds.ts'

/** The persistent state of a machine, except its TPM state, which swtpm writes. */
export interface KeptMachine {
  readonly name: string
  readonly kind: AgentKind
  readonly agent_id: string
  /** Port at which the verifier reaches a pull agent. */
  readonly contact_port: number
  /** `stopped` after the command `stop`. */
  readonly agent: 'runs' | 'stopped'
  readonly network: 'up' | 'cut'
  /** The verifier's last verdict. */
  readonly verdict: Verdict
  /** Description of the last command. */
  readonly done: string
  /** All script steps since the machine was created. */
  readonly past: readonly Step[]
}

/** Content of `playground.json`: the persistent state of a playground, without the files of its programs. */
export interface KeptPlayground {
  readonly schema: typeof SCHEMA
  /** Absolute path of the target file. */
  readonly target: string
  /** Ports of the servers, in the order of the target file. */
  readonly ports: readonly number[]
  /** Number of machines created so far; the next machine has the next number. */
  readonly made: number
  readonly machines: readonly KeptMachine[]
}

const SCHEMA = 'assay.playground/1'
export const KEPT_FILE = 'playground.json'
/** The private key of the TPM manufacturer. */
export const MAKER_FILE = 'ek-ca-private.pem'
/** State of each TPM, as swtpm writes it. */
const TPM_FILE = 'tpm2-00.permall'

const PORT = { type: 'integer', minimum: 1, maximum: 65_535 }
const COUNT = { type: 'integer', minimum: 0 }
const VERDICTS: readonly Verdict[] = ['PASS', 'FAIL', 'PENDING', 'unknown']

const validate = new Ajv2020().compile<KeptPlayground>(
  closed({
    schema: { const: SCHEMA },
    target: { type: 'string' },
    ports: listOf(PORT),
    made: COUNT,
    machines: listOf(
      closed({
        name: { type: 'string', pattern: '^m[1-9][0-9]*$' },
        kind: { enum: AGENT_KINDS },
        agent_id: { type: 'string', pattern: '^[0-9a-f-]{36}$' },
        contact_port: PORT,
        agent: { enum: ['runs', 'stopped'] },
        network: { enum: ['up', 'cut'] },
        verdict: { enum: VERDICTS },
        done: { type: 'string' },
        past: listOf({ type: 'array', minItems: 1, items: { type: 'string' } }),
      }),
    ),
  }),
)

function closed(properties: Record<string, object>) {
  const required = Object.keys(properties)
  return { type: 'object', additionalProperties: false, required, properties }
}

function listOf(items: object) {
  return { type: 'array', items }
}

export function newPlayground(target: string): KeptPlayground {
  return { schema: SCHEMA, target, ports: [], made: 0, machines: [] }
}

/** Directory of the TPM state of a machine. */
export function tpmStateOf(directory: string, name: string): string {
  return join(directory, 'tpms', name)
}

/**
 * Reads the kept playground of a directory; undefined if the directory is empty or missing. Throws a {@link SetupFault} if
 * the directory has other contents or the playground is damaged. Changes nothing.
 */
export function loadKept(directory: string): KeptPlayground | undefined {
  if (filesIn(directory).length === 0) return undefined
  const text = readKept(directory)
  if (text === undefined)
    throw new SetupFault(`${directory} is not empty and contains no playground`, {
      next: 'pass an empty or new directory with --keep',
    })
  const kept = parseKept(directory, text)
  checkUniqueNames(directory, kept)
  for (const machine of kept.machines) checkMachine(directory, machine)
  if (kept.machines.length > 0 && !existsSync(join(directory, MAKER_FILE)))
    throw broken(directory, `${MAKER_FILE} is missing`)
  return kept
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return []
    const why =
      codeOf(cause) === 'ENOTDIR' ? 'is not a directory' : `cannot be read: ${codeOf(cause)}`
    throw new SetupFault(`${directory} ${why}`, { next: 'pass a directory with --keep', cause })
  }
}

function readKept(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, KEPT_FILE), 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw broken(directory, `${KEPT_FILE} cannot be read: ${codeOf(cause)}`)
  }
}

function parseKept(directory: string, text: string): KeptPlayground {
  const kept = parseJson(directory, text)
  const schema: unknown = Object(kept).schema
  if (typeof schema === 'string' && schema !== SCHEMA)
    throw new SetupFault(
      `${join(directory, KEPT_FILE)} was written by another version of Assay: its schema is ${JSON.stringify(schema)}, expected ${SCHEMA}`,
      { next: 'use that version, or pass another directory' },
    )
  if (validate(kept)) return kept
  const [issue] = validate.errors ?? []
  const allowed: unknown = issue?.params['allowedValues']
  const words = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''
  throw broken(
    directory,
    `${KEPT_FILE}${issue?.instancePath.replaceAll('/', '.') ?? ''} ${issue?.message}${words}`,
  )
}

function parseJson(directory: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw broken(directory, `${KEPT_FILE} is not valid JSON: ${Object(cause).message}`)
  }
}

function checkUniqueNames(directory: string, { machines }: KeptPlayground): void {
  const names = machines.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw broken(directory, `${KEPT_FILE} contains ${twice} twice`)
}

/** Throws unless the past of a machine is a valid script and its TPM state exists. */
function checkMachine(directory: string, { name, past }: KeptMachine): void {
  try {
    parseScript(past)
  } catch (cause) {
    throw broken(directory, `past of ${name} in ${KEPT_FILE}: ${Object(cause).message}`)
  }
  const file = join(tpmStateOf(directory, name), TPM_FILE)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw broken(directory, `${name} has no TPM state: ${file} is missing`)
}

function broken(directory: string, why: string): SetupFault {
  return new SetupFault(`cannot continue the playground in ${directory}: ${why}`, {
    next: 'restore it from a backup, or pass another directory',
  })
}
