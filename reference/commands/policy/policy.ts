import { writeFileSync } from 'node:fs'
import { WireError } from '../../bytes/wire-error.ts'
import { StartFault } from '../../errors.ts'
import { parseAsciiList } from '../../evidence/ima/list/parse-ascii.ts'
import { parseBinaryList } from '../../evidence/ima/list/parse-binary.ts'
import {
  columnHash,
  type DerivedPolicy,
  derivePolicy,
  NotAllowable,
} from '../../evidence/ima/policy/derive-policy.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { PolicyError } from '../../evidence/policy-error.ts'
import { parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import { deriveState } from '../../evidence/uefi/policy/derive-state.ts'
import { parseReferenceState } from '../../evidence/uefi/policy/reference-state.ts'
import { hashByName } from '../../tpm/algorithms.ts'
import { decodeText, inputFault, readBytes, readText } from '../verify-evidence/read-input.ts'
import { type BootOptions, parsePolicyOptions, type RuntimeOptions } from './options.ts'

interface Writer {
  write(text: string): unknown
}

interface Streams {
  readonly out: Writer
  readonly err: Writer
}

/**
 * `assay policy runtime` and `assay policy boot`: a policy that allows what a list or a firmware log shows. Returns the
 * exit code.
 *
 * @throws {StartFault} exit code 2: an option, a file or its content cannot be used
 */
export function policyMain(
  argv: readonly string[],
  streams: Streams = { out: process.stdout, err: process.stderr },
  now: number = Date.now(),
): number {
  const options = parsePolicyOptions(argv)
  if (options === undefined) return 0
  if (options.kind === 'boot') return bootMain(options, streams)
  const { policy, notes, paths } = derive(options, now)
  const text = `${JSON.stringify(policy, null, 2)}\n`
  // The verifier must accept every policy that is written here.
  parseRuntimePolicy(text)
  give(text, notes, `${paths} paths`, options.output, streams)
  return 0
}

function give(
  text: string,
  notes: readonly string[],
  what: string,
  output: string | undefined,
  { out, err }: Streams,
): void {
  for (const note of notes) err.write(`note: ${note}\n`)
  if (output === undefined) {
    out.write(text)
    return
  }
  writePolicy(output, text)
  err.write(`${output}: ${what}\n`)
}

const BOOT_LOG = {
  option: '--boot-log',
  give: 'binary_bios_measurements, as the kernel shows it below /sys/kernel/security/tpm0',
}

function bootMain({ bootLog, output }: BootOptions, streams: Streams): number {
  const bytes = readBytes(BOOT_LOG, bootLog)
  if (bytes.length === 0) throw inputFault(BOOT_LOG, bootLog, 'it is empty')
  try {
    const log = parseBootLog(bytes)
    const { state, notes } = deriveState(log)
    const text = `${JSON.stringify(state, null, 2)}\n`
    parseReferenceState(text)
    give(text, notes, `a reference state of ${log.events.length} events`, output, streams)
    return 0
  } catch (error) {
    if (error instanceof WireError) throw inputFault(BOOT_LOG, bootLog, error.message, error)
    throw error
  }
}

const LIST = { option: '--ima-log', give: 'the list as the kernel shows it, in text or binary' }
const ALLOW = {
  option: '--allow',
  give: 'lines of digest, two blanks and path, as sha256sum writes',
}

function derive({ imaLog, exclude, allow }: RuntimeOptions, now: number): DerivedPolicy {
  const bytes = readBytes(LIST, imaLog)
  if (bytes.length === 0) throw inputFault(LIST, imaLog, 'it is empty')
  const binary = decodeText(bytes) === undefined && bytes.includes(0)
  const logHashAlg = binary ? 'sha1' : columnHash(bytes)
  const wishes = {
    ...{ excludes: exclude, logHashAlg, timestamp: new Date(now).toISOString() },
    allow: allow.flatMap(readAllowed),
  }
  try {
    const hash = hashOf(logHashAlg)
    return derivePolicy(binary ? parseBinaryList(bytes, hash) : parseAsciiList(bytes, hash), wishes)
  } catch (error) {
    if (error instanceof NotAllowable) throw inputFault(LIST, imaLog, error.message, error)
    if (error instanceof PolicyError) {
      const next = 'write it so that it matches from the start of a path: /tmp/.*'
      throw new StartFault(`--exclude: ${error.message}`, next, error)
    }
    throw error
  }
}

function hashOf(name: string) {
  const hash = hashByName(name)
  if (hash === undefined) throw new Error(`there is no hash called ${name}`)
  return hash
}

const ALLOWED = /^([0-9a-f]{40,128}) [ *](.+)$/

function readAllowed(file: string): readonly (readonly [string, string])[] {
  const lines = readText(ALLOW, file).split('\n')
  return lines.flatMap((line, at) => {
    if (line === '') return []
    const [, digest, path] = ALLOWED.exec(line) ?? []
    if (digest !== undefined && path !== undefined) return [[path, digest] as const]
    throw inputFault(ALLOW, file, `line ${at + 1} is no digest with a path`)
  })
}

function writePolicy(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new StartFault(`${file} cannot be written`, 'give another file with -o', cause)
  }
}
