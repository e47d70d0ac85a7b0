import { DER, type DerElement, DerReader } from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { namedBitsOf, readIdentifier, smallNumberOf } from './der-values.ts'
import { type GeneralName, readGeneralName, readGeneralNames } from './general-names.ts'
import { readTpmSpecification, type TpmSpecification } from './tpm-specification.ts'

/** Bits of KeyUsage (RFC 5280, 4.2.1.3). */
export const KEY_USAGE = {
  digitalSignature: 0,
  keyEncipherment: 2,
  dataEncipherment: 3,
  keyAgreement: 4,
  keyCertSign: 5,
} as const

/** Names that may, and names that must not, be below an authority (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[]
  readonly excluded: readonly GeneralName[]
}

/** Values of the known extensions; undefined if absent. */
export interface KnownExtensions {
  readonly constraints?: { readonly ca: boolean; readonly pathLength: number | undefined }
  readonly keyUsage?: ReadonlySet<number>
  /** OIDs. */
  readonly usages?: readonly string[]
  readonly alternativeNames?: readonly GeneralName[]
  readonly nameConstraints?: NameConstraints
  readonly specification?: TpmSpecification
}

export const EXTENSIONS = {
  SUBJECT_DIRECTORY_ATTRIBUTES: '2.5.29.9',
  KEY_USAGE: '2.5.29.15',
  SUBJECT_ALTERNATIVE_NAME: '2.5.29.17',
  BASIC_CONSTRAINTS: '2.5.29.19',
  NAME_CONSTRAINTS: '2.5.29.30',
  EXTENDED_KEY_USAGE: '2.5.29.37',
} as const

type Parse = (whole: Uint8Array, value: DerElement, path: string) => KnownExtensions

/** The sequence that an extension's value is, and nothing after it. */
function sequenceIn(whole: Uint8Array, value: DerElement, path: string): DerReader {
  const outer = new DerReader(whole, value, path)
  const inner = outer.next('value', DER.SEQUENCE)
  outer.finish()
  return new DerReader(whole, inner, path)
}

const PARSERS: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  [EXTENSIONS.BASIC_CONSTRAINTS, parseConstraints],
  [EXTENSIONS.KEY_USAGE, parseKeyUsage],
  [EXTENSIONS.EXTENDED_KEY_USAGE, parseUsages],
  [
    EXTENSIONS.SUBJECT_ALTERNATIVE_NAME,
    (...where) => ({ alternativeNames: readGeneralNames(sequenceIn(...where)) }),
  ],
  [EXTENSIONS.NAME_CONSTRAINTS, parseNameConstraints],
  [
    EXTENSIONS.SUBJECT_DIRECTORY_ATTRIBUTES,
    (...where) => {
      const specification = readTpmSpecification(sequenceIn(...where))
      return specification === undefined ? {} : { specification }
    },
  ],
])

/**
 * Parses the value of an extension; nothing for an unknown one. `value` is its OCTET STRING.
 *
 * @throws {WireError} naming the extension, its field and byte
 */
export function parseExtension(
  id: string,
  whole: Uint8Array,
  value: DerElement,
  path: string,
): KnownExtensions {
  return PARSERS.get(id)?.(whole, value, path) ?? {}
}

const parsePathLength = (reader: DerReader): number | undefined => {
  const element = reader.maybe('pathLenConstraint', DER.INTEGER)
  return element && smallNumberOf(reader.whole, element, `${reader.path}.pathLenConstraint`)
}

function parseConstraints(...where: Parameters<Parse>): KnownExtensions {
  const reader = sequenceIn(...where)
  const flag = reader.maybe('cA', DER.BOOLEAN)
  const ca = flag !== undefined && reader.whole[flag.inside] !== 0
  const pathLength = parsePathLength(reader)
  reader.finish()
  return { constraints: { ca, pathLength } }
}

function parseKeyUsage(whole: Uint8Array, value: DerElement, path: string): KnownExtensions {
  const outer = new DerReader(whole, value, path)
  const bits = outer.next('value', DER.BIT_STRING)
  outer.finish()
  return { keyUsage: namedBitsOf(whole, bits) }
}

/** A sequence of none is one reader's "nothing" and another's "anything" (CVE-2026-40097). */
function parseUsages(...where: Parameters<Parse>): KnownExtensions {
  const reader = sequenceIn(...where)
  const usages: string[] = []
  do usages.push(readIdentifier(reader, `[${usages.length}]`))
  while (!reader.isAtEnd)
  return { usages }
}

const PERMITTED = 0xa0
const EXCLUDED = 0xa1

function parseNameConstraints(...where: Parameters<Parse>): KnownExtensions {
  const reader = sequenceIn(...where)
  const trees = (name: string, tag: number) => {
    const element = reader.maybe(name, tag)
    return element === undefined ? [] : readSubtrees(reader.inside(name, element))
  }
  const permitted = trees('permittedSubtrees', PERMITTED)
  const excluded = trees('excludedSubtrees', EXCLUDED)
  reader.finish()
  return { nameConstraints: { permitted, excluded } }
}

const MOST_SUBTREES = 256

/** `minimum` is 0 and `maximum` absent in every certificate there may be (RFC 5280, 4.2.1.10): anything more is refused. */
function readSubtrees(reader: DerReader): readonly GeneralName[] {
  const names: GeneralName[] = []
  while (!reader.isAtEnd) {
    const tree = reader.enter(`[${names.length}]`, DER.SEQUENCE)
    names.push(readGeneralName(tree, '.base'))
    tree.finish()
    if (names.length > MOST_SUBTREES)
      throw new WireError(reader.path, reader.offset, `has more than ${MOST_SUBTREES} names`)
  }
  return names
}
