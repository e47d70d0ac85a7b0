import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { eventTypeName } from '../../simulator/uefi/event-types.ts'
import { readLog } from '../../simulator/uefi/read-log.ts'
import { looksLikeJson } from '../inspect/quote/quote-source.ts'
import { isPlainText } from '../inspect/text-forms.ts'
import { vectorGroups } from '../vectors/corpus.ts'

/** `list` is a measurement list in binary form, `quote` a TPMS_ATTEST. */
export const KINDS = ['log', 'list', 'text-list', 'quote'] as const
export type Kind = (typeof KINDS)[number]

/** A log, list or attestation, and where it is from. */
export interface EvidenceFile {
  readonly name: string
  readonly kind: Kind
  readonly bytes: Uint8Array
}

const LARGEST = 1 << 20

/** A log of TCG 1.2 has no header: it is one if all of it can be read, and its first event has a type. */
function isOldLog(bytes: Uint8Array): boolean {
  const { events, broken } = readLog(bytes)
  const [first] = events
  return broken === undefined && first !== undefined && eventTypeName(first.type).startsWith('EV_')
}

function isBinaryList(bytes: Buffer): boolean {
  return (
    bytes.length >= 28 &&
    bytes.readUInt32LE(0) < 24 &&
    /^(?:ima|evm|d)[a-z0-9|-]*$/.test(
      bytes.toString('latin1', 28, 28 + Math.min(bytes.readUInt32LE(24), 64)),
    )
  )
}

/** The kind of bytes by their content; undefined if they are none of these. */
export function kindOf(bytes: Buffer): Kind | undefined {
  if (/^ ?\d{1,2} [0-9a-f]{40} \S+ /.test(bytes.toString('latin1', 0, 256))) return 'text-list'
  if (bytes.toString('hex', 0, 4) === 'ff544347' && bytes.length < 2048) return 'quote'
  if (bytes.toString('latin1', 32, 47) === 'Spec ID Event03') return 'log'
  if (isBinaryList(bytes)) return 'list'
  return isOldLog(bytes) ? 'log' : undefined
}

/** Every text of a JSON document. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The bytes of a text: as it is, a message of a quote, or what is encoded in base64. */
function decodings(text: string): readonly Buffer[] {
  const [, message] = /^r([\w+/=-]+):[\w+/=-]*:[\w+/=-]*\s*$/.exec(text) ?? []
  if (message !== undefined) return [Buffer.from(message, 'base64')]
  return /^[\w+/=\s-]{40,}$/.test(text) ? [Buffer.from(text, 'base64')] : [Buffer.from(text)]
}

function contentsOf(bytes: Buffer): readonly Buffer[] {
  if (!looksLikeJson(bytes)) return isPlainText(bytes) ? decodings(bytes.toString()) : [bytes]
  try {
    return textsIn(JSON.parse(bytes.toString())).flatMap(decodings)
  } catch {
    return []
  }
}

/** The logs, lists and attestations of a directory, by content, also those in base64 and JSON. */
export function filesIn(directory: string): readonly EvidenceFile[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((one) => join(one.parentPath, one.name))
  return paths.toSorted().flatMap((path) => {
    if (statSync(path).size > LARGEST) return []
    return contentsOf(readFileSync(path)).flatMap((bytes) => {
      const kind = kindOf(bytes)
      return kind === undefined ? [] : [{ name: relative(directory, path), kind, bytes }]
    })
  })
}

/** The parts of the vectors that `assay vectors` has: mutations of which the kind is known whatever their content. */
function filesOfVectors(): readonly EvidenceFile[] {
  return vectorGroups()
    .flatMap(({ vectors }) => vectors)
    .flatMap(({ id, body }) => {
      const text = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined)
      const [, message] = /^r([^:]*):/.exec(text('quote') ?? '') ?? []
      const parts: readonly (readonly [Kind, Buffer | undefined])[] = [
        ['quote', message === undefined ? undefined : Buffer.from(message, 'base64')],
        ['log', Buffer.from(text('mb_list') ?? '', 'base64')],
        ['text-list', Buffer.from(text('ima_measurement_list') ?? '')],
      ]
      return parts.flatMap(([kind, bytes]) =>
        bytes === undefined || bytes.length === 0 ? [] : [{ name: `vector ${id}`, kind, bytes }],
      )
    })
}

/** Each of them once: those of the directories and of the vectors. Throws a {@link SetupFault} if a directory is missing. */
export function collectFiles(directories: readonly string[]): readonly EvidenceFile[] {
  const byDigest = new Map<string, EvidenceFile>()
  const found = directories.flatMap((directory) => {
    try {
      return filesIn(directory)
    } catch (cause) {
      const next = 'name the directory of your logs, lists and quotes with --data DIR'
      throw new SetupFault(`cannot read ${directory}`, { next, cause })
    }
  })
  for (const file of [...found, ...filesOfVectors()]) {
    const digest = createHash('sha256').update(file.kind).update(file.bytes).digest('hex')
    if (!byDigest.has(digest)) byDigest.set(digest, file)
  }
  return [...byDigest.values()]
}
