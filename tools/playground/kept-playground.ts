import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { parseScript } from '../../simulator/machine/script.ts'
import type { Step } from '../../simulator/machine/verbs.ts'
import { AGENT_KINDS, type AgentKind, type Verdict } from './agent-kinds.ts'

/** What goes on of a machine; what its TPM knows is in the state of its TPM. */
export interface KeptMachine {
  readonly name: string
  readonly kind: AgentKind
  readonly agent_id: string
  /** Where a verifier reaches a pull agent. */
  readonly contact_port: number
  /** Whether somebody has stopped its agent. */
  readonly agent: 'runs' | 'stopped'
  readonly network: 'up' | 'cut'
  /** What the verifier said of it last. */
  readonly verdict: Verdict
  /** What was done to it last, in words. */
  readonly done: string
  /** Everything that happened to the machine since it was made, a step each. */
  readonly past: readonly Step[]
}

/** `playground.json`: what a playground that is kept has, beside the files of its programs. */
export interface KeptPlayground {
  readonly schema: typeof SCHEMA
  /** The target file, absolute. */
  readonly target: string
  /** Ports of the servers, as the target file names them. */
  readonly ports: readonly number[]
  /** How many machines were begun: the next one has the next number. */
  readonly made: number
  readonly machines: readonly KeptMachine[]
}

const SCHEMA = 'assay.playground/1'
export const KEPT_FILE = 'playground.json'
/** The private key of the maker of the TPMs. */
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

/** Where the TPM of a machine has its state. */
export function tpmStateOf(directory: string, name: string): string {
  return join(directory, 'tpms', name)
}

/**
 * What an earlier playground has left in a directory; undefined for a directory that is empty, or not there. Throws a
 * {@link SetupFault} for one with something else in it, and for what cannot be gone on with; nothing is changed.
 */
export function loadKept(directory: string): KeptPlayground | undefined {
  if (filesIn(directory).length === 0) return undefined
  const text = readKept(directory)
  if (text === undefined)
    throw new SetupFault(`${directory} holds something else than a playground`, {
      next: 'name a directory that is empty, or not there yet',
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
    const why = codeOf(cause) === 'ENOTDIR' ? 'is no directory' : `cannot be read: ${codeOf(cause)}`
    throw new SetupFault(`${directory} ${why}`, { next: 'name another with --keep', cause })
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
      `${join(directory, KEPT_FILE)} was written by an Assay that is not this one: its schema is ${JSON.stringify(schema)}, and ${SCHEMA} is known`,
      { next: 'go on with that Assay, or name another directory' },
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
    throw broken(directory, `${KEPT_FILE} is no JSON: ${Object(cause).message}`)
  }
}

function checkUniqueNames(directory: string, { machines }: KeptPlayground): void {
  const names = machines.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw broken(directory, `${KEPT_FILE} has ${twice} twice`)
}

/** What happened to a machine can happen again, and its TPM is there. */
function checkMachine(directory: string, { name, past }: KeptMachine): void {
  try {
    parseScript(past)
  } catch (cause) {
    throw broken(directory, `the past of ${name} in ${KEPT_FILE}, ${Object(cause).message}`)
  }
  const file = join(tpmStateOf(directory, name), TPM_FILE)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw broken(directory, `${name} has no TPM: ${file} is missing`)
}

function broken(directory: string, why: string): SetupFault {
  return new SetupFault(`the playground in ${directory} cannot be gone on with: ${why}`, {
    next: 'restore it from a copy, or name another directory',
  })
}
