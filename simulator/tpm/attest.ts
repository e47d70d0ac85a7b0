import { TPM_GENERATED_VALUE, TPM_ST } from './constants.ts'
import { Cursor, type OnRead } from './cursor.ts'
import { readPcrSelections, type TPMS_PCR_SELECTION, writePcrSelections } from './pcr-selection.ts'
import { cat, tpm2b, u8, u16, u32, u64 } from './write.ts'

/** TPMS_CLOCK_INFO (Part 2, 10.11.1). */
export interface TPMS_CLOCK_INFO {
  /** Milliseconds that the TPM has been powered. */
  readonly clock: bigint
  readonly resetCount: number
  readonly restartCount: number
  /** 1 if the clock never went back. */
  readonly safe: number
}

/** The common fields of every attestation. */
interface AttestHeader {
  readonly magic: number
  /** TPMI_ST_ATTEST, e.g. TPM_ST.ATTEST_QUOTE. */
  readonly type: number
  readonly qualifiedSigner: Uint8Array
  /** The caller's qualifyingData. */
  readonly extraData: Uint8Array
  readonly clockInfo: TPMS_CLOCK_INFO
  readonly firmwareVersion: bigint
}

/** TPMU_ATTEST (Part 2, 10.12.11); unsupported types keep their bytes. */
export type Attested =
  | {
      readonly kind: 'quote'
      readonly pcrSelect: readonly TPMS_PCR_SELECTION[]
      readonly pcrDigest: Uint8Array
    }
  | { readonly kind: 'certify'; readonly name: Uint8Array; readonly qualifiedName: Uint8Array }
  | {
      readonly kind: 'time'
      readonly time: bigint
      readonly clockInfo: TPMS_CLOCK_INFO
      readonly firmwareVersion: bigint
    }
  | { readonly kind: 'opaque'; readonly bytes: Uint8Array }

/** TPMS_ATTEST (Part 2, 10.12.12). */
export interface TPMS_ATTEST extends AttestHeader {
  readonly attested: Attested
  /** Bytes after the structure; a TPM produces none. */
  readonly leftover: Uint8Array
}

function readClockInfo(cursor: Cursor): TPMS_CLOCK_INFO {
  return {
    clock: cursor.named('clock').u64(),
    resetCount: cursor.named('resetCount').u32(),
    restartCount: cursor.named('restartCount').u32(),
    safe: cursor.named('safe').u8(),
  }
}

function writeClockInfo(info: TPMS_CLOCK_INFO): Uint8Array {
  return cat(u64(info.clock), u32(info.resetCount), u32(info.restartCount), u8(info.safe))
}

function readAttested(type: number, cursor: Cursor): Attested {
  switch (type) {
    case TPM_ST.ATTEST_QUOTE:
      return {
        kind: 'quote',
        pcrSelect: cursor.inside('pcrSelect', readPcrSelections),
        pcrDigest: cursor.named('pcrDigest').tpm2b(),
      }
    case TPM_ST.ATTEST_CERTIFY: {
      const name = cursor.named('name').tpm2b()
      return { kind: 'certify', name, qualifiedName: cursor.named('qualifiedName').tpm2b() }
    }
    case TPM_ST.ATTEST_TIME: {
      const time = cursor.named('time').u64()
      const clockInfo = cursor.inside('clockInfo', readClockInfo)
      const firmwareVersion = cursor.named('firmwareVersion').u64()
      return { kind: 'time', time, clockInfo, firmwareVersion }
    }
    default:
      return { kind: 'opaque', bytes: cursor.named('bytes').rest() }
  }
}

/**
 * Parses a TPMS_ATTEST without validation: any magic, any type. Reports the position of each field to `onRead`,
 * even if a later one is truncated. Throws ShortRead at a truncated field.
 */
export function parseAttest(bytes: Uint8Array, onRead?: OnRead): TPMS_ATTEST {
  const cursor = new Cursor(bytes, 'TPMS_ATTEST', 0, onRead)
  const header = {
    magic: cursor.named('magic').u32(),
    type: cursor.named('type').u16(),
    qualifiedSigner: cursor.named('qualifiedSigner').tpm2b(),
    extraData: cursor.named('extraData').tpm2b(),
    clockInfo: cursor.inside('clockInfo', readClockInfo),
    firmwareVersion: cursor.named('firmwareVersion').u64(),
  }
  const attested = cursor.inside('attested', () => readAttested(header.type, cursor))
  return { ...header, attested, leftover: cursor.named('leftover').rest() }
}

/** Returns TPMU_ATTEST bytes. */
function writeAttested(attested: Attested): Uint8Array {
  switch (attested.kind) {
    case 'quote':
      return cat(writePcrSelections(attested.pcrSelect), tpm2b(attested.pcrDigest))
    case 'certify':
      return cat(tpm2b(attested.name), tpm2b(attested.qualifiedName))
    case 'time':
      return cat(
        u64(attested.time),
        writeClockInfo(attested.clockInfo),
        u64(attested.firmwareVersion),
      )
    case 'opaque':
      return attested.bytes
  }
}

/** Returns TPMS_ATTEST bytes from any fields, valid or not; the type need not match the attested structure. */
export function writeAttest(attest: Omit<TPMS_ATTEST, 'magic'> & { magic?: number }): Uint8Array {
  return cat(
    u32(attest.magic ?? TPM_GENERATED_VALUE),
    u16(attest.type),
    tpm2b(attest.qualifiedSigner),
    tpm2b(attest.extraData),
    writeClockInfo(attest.clockInfo),
    u64(attest.firmwareVersion),
    writeAttested(attest.attested),
    attest.leftover,
  )
}
