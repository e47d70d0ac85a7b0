import { BANKS, HASHES } from '../tpm/hash.ts'
import { cat, filled, text, u16le, u32le } from '../tpm/write.ts'

/** Data about a file or a buffer at its measurement. Absent members are empty. */
export interface Measured {
  /** Bytes if the name is not UTF-8. Blanks become `_`, as in the kernel. */
  readonly path: string | Uint8Array
  readonly digest: Uint8Array
  /** Written before the digest; default: the algorithm with the digest's length. */
  readonly algorithm?: string
  /** Kind of digest in the v2 templates: default `ima`; `verity` for an fs-verity digest. */
  readonly digestType?: string
  /** The security.ima attribute. */
  readonly signature?: Uint8Array
  readonly buffer?: Uint8Array
  /** An appended signature: the PKCS#7, and the digest of the file without it. */
  readonly modsig?: { readonly digest: Uint8Array; readonly pkcs7: Uint8Array }
  /** The portable EVM signature and what it covers. */
  readonly evm?: Evm
}

interface Evm {
  readonly signature: Uint8Array
  /** Extended attributes: name -> value, in order. */
  readonly xattrs: ReadonlyMap<string, Uint8Array>
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** Print format of a field: raw, hexadecimal, number, or a digest after its algorithm. */
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
  throw new RangeError(`no known hash has digests of ${digest.length} bytes; name the algorithm`)
}

function named(prefix: string, digest: Uint8Array): Uint8Array {
  return cat(text(`${prefix}:`), filled(1), digest)
}

/** A surrogate without its pair, from U+DC80 to U+DCFF: a byte of a name that is no UTF-8, as in Python's `surrogateescape`. */
const BYTE = /([\udc80-\udcff])/u

/** Returns a file name without terminator, as the kernel lists it. */
export function nameBytes(path: string | Uint8Array): Uint8Array {
  const bytes = typeof path === 'string' ? pathBytes(path) : path
  return bytes.map((byte) => (byte === BLANK ? UNDERSCORE : byte))
}

function pathBytes(path: string): Uint8Array {
  const parts = path.split(BYTE)
  return cat(
    ...parts.map((part) => (BYTE.test(part) ? Uint8Array.of(part.charCodeAt(0)) : text(part))),
  )
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

/** Named templates; any other is identified by its fields, `d-ng|n-ng`. */
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

/** Names of the named templates. */
export const TEMPLATE_NAMES: readonly string[] = [...TEMPLATES.keys()]

/**
 * Returns the ids of a template's fields in order (`d-ng`, `n-ng`), or undefined if the kernel does not define one
 * of them.
 */
export function fieldNamesOf(template: string): readonly string[] | undefined {
  const names = (TEMPLATES.get(template) ?? template).split('|')
  return names.every((name) => Object.hasOwn(FIELDS, name)) ? names : undefined
}

/** Returns the fields of a template, or undefined if the kernel does not define one of them. */
export function fieldsOf(template: string): readonly Field[] | undefined {
  return fieldNamesOf(template)?.flatMap((name) => FIELDS[name] ?? [])
}
