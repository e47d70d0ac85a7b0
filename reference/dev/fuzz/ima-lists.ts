import { createHash } from 'node:crypto'
import { concat } from '../../bytes/writer.ts'
import { parseRuntimePolicy, type RuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { SOFT_KEYS } from './machines.ts'
import {
  dataOf,
  hashBytes,
  type ModelEntry,
  readAscii,
  writeAscii,
  writeBinary,
} from './models/ima-entries.ts'
import { modelKey } from './models/signature-model.ts'
import type { Input } from './target.ts'

/** A list, the values of PCR 10 that were quoted, and what judges it. */
export interface ImaRun extends Input {
  /** `ascii` or `binary` */
  readonly format: string
  readonly list: Uint8Array
  /** bank -> quoted value of PCR 10 */
  readonly quoted: Readonly<Record<string, Uint8Array>>
  /** entries certified before; 0 starts from a reset */
  readonly offset: number
  /** bank -> value of PCR 10 after them */
  readonly carried: Readonly<Record<string, Uint8Array>>
  /** number of a policy, -1 for none */
  readonly policy: number
  readonly ignoreViolations: boolean
}

/** The policies that lists are judged by, as the model reads them. */
export interface ListPolicy {
  readonly hash: string
  readonly digests: Readonly<Record<string, readonly string[]>>
  readonly buffers: Readonly<Record<string, readonly string[]>>
  readonly keyrings: Readonly<Record<string, readonly string[]>>
  readonly ignored: readonly string[]
  /** paths below these are excluded */
  readonly excluded: readonly string[]
}

function hexOf(text: string, algorithm = 'sha256'): string {
  return createHash(algorithm).update(text).digest('hex')
}

/** A key that a machine measured into a keyring; an RSA key, as it is read in a tenth of the time. */
const DER = new Uint8Array(
  modelKey(SOFT_KEYS.at(0)?.tpm2bPublic ?? new Uint8Array())?.key.export({
    type: 'spki',
    format: 'der',
  }) ?? [],
)

const PATHS = ['/usr/bin/bash', '/usr/bin/with space', '/usr/lib/libc.so.6', '/etc/new\nline', '/']

const TABLES: Omit<ListPolicy, 'hash'> = {
  digests: {
    ...Object.fromEntries(PATHS.map((path) => [path, [hexOf(path), hexOf(path, 'sha1')]])),
    boot_aggregate: [hexOf('boot')],
  },
  buffers: { kernel_version: [hexOf('6.1')] },
  keyrings: { '.ima': [createHash('sha256').update(DER).digest('hex')] },
  ignored: ['.builtin'],
  excluded: ['/tmp/'],
}

export const LIST_POLICIES: readonly ListPolicy[] = [
  { hash: 'sha1', ...TABLES },
  { hash: 'sha256', ...TABLES },
  { ...TABLES, hash: 'sha1', keyrings: {}, ignored: ['*'], excluded: [] },
]

/** The same policies as documents, read by the code under test. */
export const READ_POLICIES: readonly RuntimePolicy[] = LIST_POLICIES.map(
  ({ hash, digests, buffers, keyrings, ignored, excluded }) =>
    parseRuntimePolicy(
      JSON.stringify({
        meta: { version: 1, generator: 2 },
        release: 0,
        digests,
        excludes: excluded.map((folder) => `${folder}.*`),
        keyrings,
        ima: { ignored_keyrings: ignored, log_hash_alg: hash, dm_policy: null },
        'ima-buf': buffers,
        'verification-keys': '',
      }),
    ),
)

function text(value: string): Uint8Array {
  return new Uint8Array(Buffer.from(`${value}\0`, 'utf8'))
}

function labelled(label: string, value: string, algorithm = 'sha256'): Uint8Array {
  return concat(text(`${label}${algorithm}:`), Buffer.from(hexOf(value, algorithm), 'hex'))
}

function entry(template: string, fields: readonly Uint8Array[], hash = 'sha1'): ModelEntry {
  return { pcr: 10, hash: hashBytes(hash, dataOf({ template, fields })), template, fields }
}

const NONE = new Uint8Array()

/** One entry of every template. */
export function everyTemplate(hash = 'sha1'): readonly ModelEntry[] {
  const [bash = '', blank = '', libc = '', newline = '', root = ''] = PATHS
  const made: readonly (readonly [string, readonly Uint8Array[]])[] = [
    ['ima-ng', [labelled('', 'boot'), text('boot_aggregate')]],
    ['ima-sig', [labelled('', bash), text(bash), Uint8Array.of(3, 2, 4, 1, 2, 3, 4, 0, 1, 9)]],
    ['ima-sig', [labelled('', blank), text(blank), NONE]],
    ['ima-ngv2', [labelled('ima:', libc), text(libc)]],
    ['ima-sigv2', [labelled('verity:', bash), text(bash), NONE]],
    ['ima', [Buffer.from(hexOf(bash, 'sha1'), 'hex'), Buffer.from(bash)]],
    ['ima-ng', [labelled('', newline), text(newline)]],
    ['ima-buf', [labelled('', '6.1'), text('kernel_version'), Buffer.from('6.1')]],
    ['ima-modsig', [labelled('', bash), text(bash), NONE, labelled('', 'm'), Uint8Array.of(48, 0)]],
    ['evm-sig', [labelled('', root), text(root), NONE, NONE, NONE, NONE, NONE, NONE, NONE]],
    ['n-ng|d-ng|imode', [text(libc), labelled('', libc), Uint8Array.of(0xed, 0x81)]],
    ['ima-ng', [labelled('', 'anything', 'sha512'), text('/tmp/anything')]],
    ['ima-buf', [concat(text('sha256:'), hashBytes('sha256', DER)), text('.ima'), DER]],
  ]
  return made.map(([template, fields]) => entry(template, fields, hash))
}

const VIOLATION: ModelEntry = {
  ...entry('ima-ng', [concat(text('sha1:'), new Uint8Array(20)), text('/var/log/x')]),
  hash: new Uint8Array(20),
}

/** Bank -> PCR 10 after these entries; SHA-384 by the rule for kernels that lack it, if asked. */
export function extended(
  entries: readonly ModelEntry[],
  banks: readonly string[],
  padded = false,
  start: Readonly<Record<string, Uint8Array>> = {},
): Readonly<Record<string, Uint8Array>> {
  const values = banks.map((bank) => {
    const from = start[bank] ?? new Uint8Array(SIZES[bank] ?? 0)
    return [bank, entries.reduce((value, each) => extendBy(bank, value, each, padded), from)]
  })
  return Object.fromEntries(values)
}

const SIZES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

/** PCR 10 after one entry more. */
export function extendBy(
  bank: string,
  value: Uint8Array,
  { pcr, hash, template, fields }: ModelEntry,
  padded: boolean,
): Uint8Array {
  if (pcr !== 10) return value
  const size = SIZES[bank] ?? 0
  const isPadded = padded && size > 32
  const digest = hashBytes(isPadded ? 'sha1' : bank, dataOf({ template, fields }))
  const isViolation = hash.every((byte) => byte === 0)
  const added = isViolation
    ? new Uint8Array(size).fill(0xff)
    : concat(digest, new Uint8Array(size - digest.length))
  return hashBytes(bank, concat(value, added))
}

interface ListRow {
  readonly entries: readonly ModelEntry[]
  readonly banks: readonly string[]
  readonly policy: number
  readonly padded?: boolean
  readonly cut?: number
}

function runsOf({ entries, banks, policy, padded = false, cut = 0 }: ListRow) {
  const carried = cut > 0 ? extended(entries.slice(0, cut), banks, padded) : {}
  const quoted = extended(entries, banks, padded)
  const rest = entries.slice(cut)
  const common = { quoted, offset: cut, carried, policy, ignoreViolations: true }
  return [
    { format: 'ascii', list: writeAscii(rest), ...common },
    { format: 'binary', list: writeBinary(rest), ...common },
  ]
}

/** The first entries of the recorded boot. */
const BOOT: readonly ModelEntry[] = (readAscii(recorded('ascii_before_tools'), 'sha1') ?? []).slice(
  0,
  4,
)

const ALL = everyTemplate()

const ROWS: readonly ListRow[] = [
  { entries: ALL.slice(0, 5), banks: ['sha256'], policy: 0 },
  { entries: ALL.slice(5, 10), banks: ['sha256'], policy: 0 },
  { entries: [...ALL.slice(0, 3), VIOLATION], banks: ['sha1', 'sha256'], policy: 0 },
  { entries: ALL.slice(4, 9), banks: ['sha1'], policy: 0, cut: 2 },
  { entries: everyTemplate('sha256').slice(0, 6), banks: ['sha256'], policy: 1 },
  { entries: [...ALL.slice(9, 11), ...ALL.slice(12)], banks: ['sha256'], policy: 2 },
  { entries: ALL.slice(10), banks: ['sha256'], policy: 0 },
  { entries: ALL.slice(2, 6), banks: ['sha256', 'sha384'], policy: 0, padded: true },
  { entries: BOOT, banks: ['sha256'], policy: -1 },
  { entries: ALL.slice(0, 1), banks: ['sha512'], policy: 0 },
]

/** Lists of machines that do not lie. */
export const HONEST_LISTS: readonly ImaRun[] = ROWS.flatMap(runsOf).map((run, of) => ({
  of,
  ...run,
}))
