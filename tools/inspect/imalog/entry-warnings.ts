import { visibleLine } from '../../../conformance/report/visible.ts'
import { fieldNamesOf, fieldsOf } from '../../../simulator/ima/fields.ts'
import { isViolation, type LocatedEntry } from '../../../simulator/ima/list.ts'
import { IMA_PCR } from '../replay.ts'
import { bytes, nameText, safe } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'
import { nameBytesOf, splitDigest } from './entry-fields.ts'
import { oddFileSignature } from './file-signature.ts'

/** An entry with the results of its checks. */
export interface SeenEntry {
  readonly number: number
  readonly located: LocatedEntry
  /** False if the template data cannot be reconstructed from the text. */
  readonly whole: boolean
  readonly hashHolds: boolean | null
}

type Warn = (id: WarningId, says: string, offset?: number) => void

const DIGEST_SIZES: Readonly<Record<string, number>> = {
  md5: 16,
  sha1: 20,
  rmd160: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  sm3: 32,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
}
const WEAK: readonly string[] = ['md5', 'sha1']
export const BOOT_AGGREGATE = 'boot_aggregate'

/** Name of the measured file, without its terminator; empty if the template has no name field. */
export function entryName({ entry }: LocatedEntry): Uint8Array {
  const at = (fieldNamesOf(entry.template) ?? []).findIndex((id) => id === 'n' || id === 'n-ng')
  return nameBytesOf(entry.fields[at] ?? new Uint8Array())
}

/** Collects the warnings of one entry. */
export function warnOfEntry(seen: SeenEntry, warnings: Warnings): void {
  const { number, located, whole, hashHolds } = seen
  const { entry, offset } = located
  const name = nameText(entryName(located))
  const path = `entry ${number}`
  const shown = safe(name.text)
  const warn: Warn = (id, says, at = offset) =>
    warnings.add(id, { part: 'IMA list', offset: at, path, says })
  if (isViolation(entry)) warn('violation', shown)
  if (fieldsOf(entry.template) === undefined) warn('unknown-template', safe(entry.template))
  else if (!whole) warn('unreadable-field', shown)
  if (hashHolds === false) warn('template-hash', shown)
  if (entry.pcr !== IMA_PCR) warn('other-pcr', `PCR ${entry.pcr}`)
  if (number > 1 && name.text === BOOT_AGGREGATE) warn('late-boot-aggregate', shown)
  warnOfName(name, shown, warn)
  if (!isViolation(entry)) warnOfFields(located, warn)
}

function warnOfName(name: ReturnType<typeof nameText>, shown: string, warn: Warn): void {
  const { text, utf8 } = name
  const base = text.slice(text.lastIndexOf('/') + 1)
  // Names such as kernel_version come from the kernel and never contained spaces.
  if (text.startsWith('/') && base.includes('_')) warn('name-underscore', shown)
  if (text.includes('\n')) warn('name-newline', shown)
  else if (utf8 && visibleLine(text) !== text) warn('name-control', shown)
  if (text.includes(' ')) warn('name-blank', shown)
  if (!utf8) warn('name-not-utf8', shown)
}

function warnOfFields({ entry, fieldOffsets }: LocatedEntry, warn: Warn): void {
  const names = fieldNamesOf(entry.template) ?? []
  names.forEach((name, at) => {
    const raw = entry.fields[at] ?? new Uint8Array()
    if (name === 'd-ng' || name === 'd-ngv2') warnOfDigest(raw, warn, fieldOffsets[at])
    if (name !== 'sig' && name !== 'evmsig') return
    const odd = oddFileSignature(raw)
    if (odd !== undefined) warn('odd-file-signature', odd, fieldOffsets[at])
  })
}

function warnOfDigest(raw: Uint8Array, warn: Warn, offset: number | undefined): void {
  const { algorithm, digest } = splitDigest(raw)
  const name = algorithm.slice(algorithm.lastIndexOf(':') + 1)
  const size = Object.hasOwn(DIGEST_SIZES, name) ? DIGEST_SIZES[name] : undefined
  if (size !== digest.length) {
    warn('odd-file-digest', `${safe(name) || 'no algorithm'} with ${bytes(digest.length)}`, offset)
  } else if (WEAK.includes(name)) warn('weak-file-digest', name, offset)
}
