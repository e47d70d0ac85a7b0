import { Reader } from '../../bytes/reader.ts'

/**
 * Members of ATTESTATION_REPORT before its signature, with their sizes (AMD 56860, SEV-SNP Firmware ABI, "ATTESTATION_REPORT
 * Structure"). A size without a name is reserved, and holds zeros. `KEY_INFO` is the word with AUTHOR_KEY_EN,
 * MASK_CHIP_KEY and SIGNING_KEY, which has no name there. Versions before 3 have zeros for CPUID_*, before 5 for *_MIT_VECTOR.
 */
const MEMBERS = [
  ['VERSION', 4],
  ['GUEST_SVN', 4],
  ['POLICY', 8],
  ['FAMILY_ID', 16],
  ['IMAGE_ID', 16],
  ['VMPL', 4],
  ['SIGNATURE_ALGO', 4],
  ['CURRENT_TCB', 8],
  ['PLATFORM_INFO', 8],
  ['KEY_INFO', 4],
  [undefined, 4],
  ['REPORT_DATA', 64],
  ['MEASUREMENT', 48],
  ['HOST_DATA', 32],
  ['ID_KEY_DIGEST', 48],
  ['AUTHOR_KEY_DIGEST', 48],
  ['REPORT_ID', 32],
  ['REPORT_ID_MA', 32],
  ['REPORTED_TCB', 8],
  ['CPUID_FAM_ID', 1],
  ['CPUID_MOD_ID', 1],
  ['CPUID_STEP', 1],
  [undefined, 21],
  ['CHIP_ID', 64],
  ['COMMITTED_TCB', 8],
  ['CURRENT_BUILD', 1],
  ['CURRENT_MINOR', 1],
  ['CURRENT_MAJOR', 1],
  [undefined, 1],
  ['COMMITTED_BUILD', 1],
  ['COMMITTED_MINOR', 1],
  ['COMMITTED_MAJOR', 1],
  [undefined, 1],
  ['LAUNCH_TCB', 8],
  ['LAUNCH_MIT_VECTOR', 8],
  ['CURRENT_MIT_VECTOR', 8],
  [undefined, 152],
] as const

type Name = Exclude<(typeof MEMBERS)[number][0], undefined>

const OLDEST = 2
const NEWEST = 5
/** Bytes of SIGNATURE, of R and of S in it, and of a number on P-384. */
const SIGNATURE = 512
const NUMBER = 72
const SCALAR = 48

/** A report: its members as bytes, numbers little-endian. */
export interface AttestationReport extends Readonly<Record<Name, Uint8Array>> {
  /** The bytes that the signature covers. */
  readonly signed: Uint8Array
  /** R and S, big-endian, as other structures have them. */
  readonly signature: Uint8Array
}

/**
 * Parses an ATTESTATION_REPORT of 1,184 bytes, of version 2 to 5.
 *
 * @throws {WireError} with the member and its offset
 */
export function parseReport(bytes: Uint8Array): AttestationReport {
  const reader = new Reader(bytes, 'ATTESTATION_REPORT', 'little')
  const members = Object.fromEntries(readMembers(reader)) as Record<Name, Uint8Array>
  const signed = reader.between(0, reader.offset)
  const signature = reader.field('.SIGNATURE', () => readSignature(reader))
  reader.finish()
  return { ...members, signed, signature }
}

function readMembers(reader: Reader): readonly (readonly [string, Uint8Array])[] {
  return MEMBERS.flatMap(([name, size]) => {
    if (name === undefined) {
      reader.field('.reserved', () => reader.padding(size))
      return []
    }
    const read = name === 'VERSION' ? () => readVersion(reader, size) : () => reader.take(size)
    return [[name, reader.field(`.${name}`, read)] as const]
  })
}

function readVersion(reader: Reader, size: number): Uint8Array {
  const bytes = reader.take(size)
  const version = littleEndian(bytes)
  if (version >= OLDEST && version <= NEWEST) return bytes
  throw reader.error(`is ${version}; versions ${OLDEST} to ${NEWEST} can be read`, 0)
}

function readSignature(reader: Reader): Uint8Array {
  const [r, s] = [readNumber(reader, '.R'), readNumber(reader, '.S')]
  reader.field('.reserved', () => reader.padding(SIGNATURE - 2 * NUMBER))
  return Uint8Array.from([...r, ...s])
}

function readNumber(reader: Reader, name: string): Uint8Array {
  return reader.field(name, () => {
    const number = reader.take(SCALAR).slice().reverse()
    reader.padding(NUMBER - SCALAR)
    return number
  })
}

/** The number of some bytes, the least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}
