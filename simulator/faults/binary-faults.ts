import { writeAsciiList } from '../ima/ascii.ts'
import { type ImaEntry, parseImaList, writeImaList } from '../ima/list.ts'
import { readAsciiList } from '../ima/read-ascii.ts'
import type { Bytes } from '../platform/outputs.ts'
import { cat, filled, text, u32 } from '../tpm/write.ts'
import type { Fault } from './fault.ts'

/** Bytes of PCR and template hash, which precede the length of the template name. */
const BEFORE_NAME = 24

/** Returns the same list with other bytes from the length of the first template name on. */
function nameLength(length: Uint8Array): Bytes {
  return (bytes) =>
    cat(bytes.subarray(0, BEFORE_NAME), length, bytes.subarray(BEFORE_NAME + length.length))
}

function bigEndian({ pcr, templateHash, template, fields }: ImaEntry): Uint8Array {
  const counted = (bytes: Uint8Array) => cat(u32(bytes.length), bytes)
  const data = cat(...fields.map(counted))
  return cat(u32(pcr), templateHash, counted(text(template)), counted(data))
}

/** Returns the list with three bytes added after the last field of the first entry and counted in its data length. */
function withLeftOver(bytes: Uint8Array): Uint8Array {
  const [first, ...others] = parseImaList(bytes)
  if (first === undefined) return bytes
  const fields = [...first.fields, filled(0)]
  return cat(writeImaList([{ ...first, fields }]), writeImaList(others))
}

/** Faults of the measurement list in its binary form. */
export const BINARY_FAULTS: readonly Fault[] = [
  {
    name: 'binary-name-endless',
    what: 'the first template name of the binary list has a length of 4294967295',
    cases: [75],
    outcome: 'refused',
    mutations: { 'ima-binary': nameLength(filled(4, 0xff)) },
  },
  {
    name: 'binary-name-empty',
    what: 'the first template name of the binary list has a length of 0',
    cases: [75],
    outcome: 'refused',
    mutations: { 'ima-binary': nameLength(filled(4)) },
  },
  {
    name: 'binary-field-more',
    what: 'the first entry of the binary list has one field more than its template',
    cases: [77],
    outcome: 'refused',
    mutations: { 'ima-binary': withLeftOver },
  },
  {
    name: 'binary-cut',
    what: 'the binary list lacks its last byte',
    cases: [77],
    outcome: 'refused',
    mutations: { 'ima-binary': (bytes) => bytes.subarray(0, -1) },
  },
  {
    name: 'binary-leftover',
    what: 'three bytes follow the binary list',
    cases: [77],
    outcome: 'refused',
    mutations: { 'ima-binary': (bytes) => cat(bytes, filled(3)) },
  },
  {
    name: 'binary-big-endian',
    what: 'the integers of the binary list are big-endian',
    cases: [78],
    outcome: 'either',
    mutations: { 'ima-binary': (bytes) => cat(...parseImaList(bytes).map(bigEndian)) },
  },
  {
    name: 'binary-is-text',
    what: 'the machine sends a text list in place of the binary one',
    cases: [81],
    outcome: 'refused',
    mutations: { 'ima-binary': (bytes) => writeAsciiList(parseImaList(bytes)) },
  },
  {
    name: 'text-is-binary',
    what: 'the machine sends a binary list in place of the text one',
    cases: [81],
    outcome: 'refused',
    mutations: {
      'ima-ascii': (bytes) => writeImaList([...readAsciiList(bytes)].map(({ entry }) => entry)),
    },
  },
]
