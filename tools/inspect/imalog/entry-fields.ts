import { fieldNamesOf } from '../../../simulator/ima/fields.ts'
import type { LocatedEntry } from '../../../simulator/ima/list.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { EntryField } from '../inspection.ts'
import { bytes, nameText, numberLe, safe, shortHex, textOrHex } from '../show.ts'
import { describeFileSignature } from './file-signature.ts'

interface FieldRow {
  readonly means: string
  readonly show: (raw: Uint8Array) => string
}

const MODE_RADIX = 8

/** Splits a digest field: `sha256:`, a zero byte, the digest. */
export function splitDigest(raw: Uint8Array): {
  readonly algorithm: string
  readonly digest: Uint8Array
} {
  const end = raw.indexOf(0)
  if (end === -1) return { algorithm: '', digest: raw }
  const prefix = Buffer.from(raw.subarray(0, end)).toString('latin1')
  return { algorithm: prefix.replace(/:$/, ''), digest: raw.subarray(end + 1) }
}

function showDigest(raw: Uint8Array): string {
  if (raw.length === 0) return 'none'
  const { algorithm, digest } = splitDigest(raw)
  return `${safe(algorithm) || 'no algorithm'} ${shortHex(toHex(digest), 20)}`
}

/** The bytes of a name up to its terminator. */
export function nameBytesOf(raw: Uint8Array): Uint8Array {
  const end = raw.indexOf(0)
  return end === -1 ? raw : raw.subarray(0, end)
}

const showName = (raw: Uint8Array): string => safe(nameText(nameBytesOf(raw)).text)
const showNumber = (raw: Uint8Array): string => (raw.length === 0 ? 'none' : String(numberLe(raw)))
const showSize = (raw: Uint8Array): string => (raw.length === 0 ? 'none' : bytes(raw.length))

const DIGEST: FieldRow = { means: 'digest of the file content', show: showDigest }
const NAME: FieldRow = { means: 'name of the file or of the measured data', show: showName }

/** Explanations of the template fields. */
const ROWS: Readonly<Record<string, FieldRow>> = {
  d: { means: DIGEST.means, show: (raw) => shortHex(toHex(raw), 20) },
  n: NAME,
  'd-ng': DIGEST,
  'd-ngv2': DIGEST,
  'n-ng': NAME,
  sig: { means: 'signature of the file (security.ima)', show: describeFileSignature },
  buf: {
    means: 'the measured bytes',
    show: (raw) => shortText(textOrHex(raw)),
  },
  'd-modsig': { means: 'digest of the file without its appended signature', show: showDigest },
  modsig: { means: 'signature appended to the file (PKCS#7)', show: showSize },
  evmsig: { means: 'signature of the file attributes (EVM)', show: describeFileSignature },
  iuid: { means: 'user id of the owner', show: showNumber },
  igid: { means: 'group id of the file', show: showNumber },
  imode: {
    means: 'file mode',
    show: (raw) => (raw.length === 0 ? 'none' : `0${numberLe(raw).toString(MODE_RADIX)}`),
  },
  xattrnames: { means: 'names of the extended attributes', show: showName },
  xattrlengths: { means: 'lengths of the extended attributes', show: showSize },
  xattrvalues: { means: 'values of the extended attributes', show: showSize },
}

function shortText(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}

/** The fields of an entry with their explanations. */
export function entryFields({ entry, fieldOffsets }: LocatedEntry): readonly EntryField[] {
  const names = fieldNamesOf(entry.template) ?? []
  return entry.fields.map((raw, at) => {
    const name = names[at]
    const row = name !== undefined && Object.hasOwn(ROWS, name) ? ROWS[name] : undefined
    return {
      name: name ?? `field ${at + 1}`,
      offset: fieldOffsets[at] ?? 0,
      length: raw.length,
      raw: toHex(raw),
      value: row?.show(raw) ?? shortHex(toHex(raw), 40),
      means: row?.means ?? 'unknown field',
    }
  })
}
