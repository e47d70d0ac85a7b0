import { BANKS, HASHES } from '../tpm/hash.ts'
import { cat, filled, text, u16le, u32le } from '../tpm/write.ts'

/** What a kernel knows of a file, or of a buffer, when it measures it. What is not given is empty. */
export interface Measured {
  /** Bytes where the name is no UTF-8. Blanks become `_`, as in the kernel. */
  readonly path: string | Uint8Array
  readonly digest: Uint8Array
  /** Named in front of the digest; the one of the digest's length unless told. */
  readonly algorithm?: string
  /** What the digest is of, in the v2 templates: `ima` unless told, `verity` for a fs-verity digest. */
  readonly digestType?: string
  /** The security.ima attribute. */
  readonly signature?: Uint8Array
  readonly buffer?: Uint8Array
  /** An appended signature: the PKCS#7, and the digest of the file without it. */
  readonly modsig?: { readonly digest: Uint8Array; readonly pkcs7: Uint8Array }
  /** The portable EVM signature and what it covers. */
  readonly evm?: Evm
}

export interface Evm {
  readonly signature: Uint8Array
  /** Extended attributes: name -> value, in order. */
  readonly xattrs: ReadonlyMap<string, Uint8Array>
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** How the kernel prints a field: raw, in hexadecimal, as a number, or a digest after its algorithm. */
export type Format = 'string' | 'hex' | 'uint' | 'digest' | 'digest-with-algorithm'

interface Field {
  readonly format: Format
  write(measured: Measured): Uint8Array
}

const NOTHING = new Uint8Array()
const BLANK = 0x20
const UNDERSCORE = 0x5f

function algorithmOf({ digest, algorithm }: Measured): string {
  const name = algorithm ?? BANKS.find((bank) => HASHES[bank].size === digest.length)
  if (name !== undefined) return name
  throw new RangeError(`a file digest of ${digest.length} bytes is of no known hash; name it`)
}

function named(prefix: string, digest: Uint8Array): Uint8Array {
  return cat(text(`${prefix}:`), filled(1), digest)
}

/** A file name without terminator, as the kernel lists it. */
export function nameBytes(path: string | Uint8Array): Uint8Array {
  const bytes = typeof path === 'string' ? text(path) : path
  return bytes.map((byte) => (byte === BLANK ? UNDERSCORE : byte))
}

function terminated(path: string | Uint8Array): Uint8Array {
  return cat(nameBytes(path), filled(1))
}

function ofEvm(format: Format, write: (evm: Evm) => Uint8Array): Field {
  return { format, write: ({ evm }) => (evm === undefined ? NOTHING : write(evm)) }
}

function hex(write: Field['write']): Field {
  return { format: 'hex', write }
}

/** Every field of the kernel's templates (Linux, security/integrity/ima, ima_template.c). */
const FIELDS: Readonly<Record<string, Field>> = {
  d: { format: 'digest', write: ({ digest }) => digest },
  n: { format: 'string', write: ({ path }) => terminated(path) },
  'd-ng': {
    format: 'digest-with-algorithm',
    write: (measured) => named(algorithmOf(measured), measured.digest),
  },
  'd-ngv2': {
    format: 'digest-with-algorithm',
    write: (measured) => {
      const { digestType = 'ima', digest } = measured
      return named(`${digestType}:${algorithmOf(measured)}`, digest)
    },
  },
  'n-ng': { format: 'string', write: ({ path }) => terminated(path) },
  sig: hex(({ signature = NOTHING }) => signature),
  buf: hex(({ buffer = NOTHING }) => buffer),
  'd-modsig': {
    format: 'digest-with-algorithm',
    write: ({ modsig }) => {
      if (modsig === undefined) return NOTHING
      return named(algorithmOf({ path: '', digest: modsig.digest }), modsig.digest)
    },
  },
  modsig: hex(({ modsig }) => modsig?.pkcs7 ?? NOTHING),
  evmsig: ofEvm('hex', ({ signature }) => signature),
  xattrnames: ofEvm('string', ({ xattrs }) => cat(text([...xattrs.keys()].join('|')), filled(1))),
  xattrlengths: ofEvm('hex', ({ xattrs }) =>
    cat(...[...xattrs.values()].map((value) => u32le(value.length))),
  ),
  xattrvalues: ofEvm('hex', ({ xattrs }) => cat(...xattrs.values())),
  iuid: ofEvm('uint', ({ uid }) => u32le(uid)),
  igid: ofEvm('uint', ({ gid }) => u32le(gid)),
  imode: ofEvm('uint', ({ mode }) => u16le(mode)),
}

/** The templates that have a name; any other is called by its fields, `d-ng|n-ng`. */
const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['ima', 'd|n'],
  ['ima-ng', 'd-ng|n-ng'],
  ['ima-ngv2', 'd-ngv2|n-ng'],
  ['ima-sig', 'd-ng|n-ng|sig'],
  ['ima-sigv2', 'd-ngv2|n-ng|sig'],
  ['ima-buf', 'd-ng|n-ng|buf'],
  ['ima-modsig', 'd-ng|n-ng|sig|d-modsig|modsig'],
  ['evm-sig', 'd-ng|n-ng|evmsig|xattrnames|xattrlengths|xattrvalues|iuid|igid|imode'],
])

/** Names of the templates that have one. */
export const TEMPLATE_NAMES: readonly string[] = [...TEMPLATES.keys()]

/** Ids of a template's fields in order (`d-ng`, `n-ng`), or undefined when one of them is none of the kernel's. */
export function fieldNamesOf(template: string): readonly string[] | undefined {
  const names = (TEMPLATES.get(template) ?? template).split('|')
  return names.every((name) => Object.hasOwn(FIELDS, name)) ? names : undefined
}

/** The fields of a template, or undefined when one of them is none of the kernel's. */
export function fieldsOf(template: string): readonly Field[] | undefined {
  return fieldNamesOf(template)?.flatMap((name) => FIELDS[name] ?? [])
}
