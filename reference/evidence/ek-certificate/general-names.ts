import { CONSTRUCTED, DER, type DerElement, DerReader, derContents } from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { type DistinguishedName, parseName } from './parse-names.ts'

/** One GeneralName (RFC 5280, 4.2.1.6): a directory name, a text, an address, or a kind that is known by its number. */
export type GeneralName =
  | { readonly kind: 'directory'; readonly name: DistinguishedName }
  | { readonly kind: 'email' | 'dns' | 'uri'; readonly text: string }
  | { readonly kind: 'ip'; readonly bytes: Uint8Array }
  | { readonly kind: 'other'; readonly number: number }

const CONTEXT = 0x80
const DIRECTORY = CONTEXT | CONSTRUCTED | 4
const IP = CONTEXT | 7
const TEXTS: ReadonlyMap<number, 'email' | 'dns' | 'uri'> = new Map([
  [CONTEXT | 1, 'email'],
  [CONTEXT | 2, 'dns'],
  [CONTEXT | 6, 'uri'],
])
/** More names, or more constraints, are in no certificate; each name is compared with each constraint. */
const MOST_NAMES = 256

/** Reads one GeneralName, which is the next element. */
export function readGeneralName(reader: DerReader, name: string): GeneralName {
  const { whole } = reader
  const element = reader.any(name)
  const path = `${reader.path}${name}`
  const kind = TEXTS.get(element.tag)
  if (kind !== undefined)
    return { kind, text: Buffer.from(derContents(whole, element)).toString('latin1') }
  if (element.tag === IP) return { kind: 'ip', bytes: derContents(whole, element) }
  if (element.tag === DIRECTORY)
    return { kind: 'directory', name: directoryName(whole, element, path) }
  if ((element.tag & 0xc0) === CONTEXT && (element.tag & 0x1f) <= 8)
    return { kind: 'other', number: element.tag & 0x1f }
  throw new WireError(path, element.at, 'is no GeneralName')
}

/** `[4]` is explicit, as a Name is a choice. */
function directoryName(whole: Uint8Array, element: DerElement, path: string): DistinguishedName {
  const inner = new DerReader(whole, element, path)
  const name = inner.next('directoryName', DER.SEQUENCE)
  inner.finish()
  return parseName(whole, name, `${path}.directoryName`)
}

/** Reads GeneralNames to the end of `reader`: at least one, and no more than 256. */
export function readGeneralNames(reader: DerReader): readonly GeneralName[] {
  const names: GeneralName[] = []
  do {
    if (names.length === MOST_NAMES)
      throw new WireError(reader.path, reader.offset, `has more than ${MOST_NAMES} names`)
    names.push(readGeneralName(reader, `[${names.length}]`))
  } while (!reader.isAtEnd)
  return names
}
