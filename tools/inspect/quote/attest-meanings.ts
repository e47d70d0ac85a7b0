import { TPM_GENERATED_VALUE, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { pcrsOfBitmap, presentPcrs } from '../../../simulator/tpm/pcr-selection.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { Meaning, Meanings } from '../read-fields.ts'
import { algorithm, bytes, number, powered, textOrHex } from '../show.ts'

const KINDS: ReadonlyMap<number, string> = new Map([
  [TPM_ST.ATTEST_NV, 'NV: contents of an NV index'],
  [TPM_ST.ATTEST_COMMAND_AUDIT, 'command audit'],
  [TPM_ST.ATTEST_SESSION_AUDIT, 'session audit'],
  [TPM_ST.ATTEST_CERTIFY, 'certify: attests a key'],
  [TPM_ST.ATTEST_QUOTE, 'quote: attests PCR values'],
  [TPM_ST.ATTEST_TIME, 'time: attests the clock'],
  [TPM_ST.ATTEST_CREATION, 'creation: attests how a key was created'],
  [TPM_ST.ATTEST_NV_DIGEST, 'NV digest'],
])

/** Name of a TPMI_ST_ATTEST; undefined if the specification does not define it. */
export function attestationKind(type: number): string | undefined {
  return KINDS.get(type)
}

const SIZE: Meaning = {
  means: 'length of the next field',
  show: (raw) => bytes(number(raw)),
}

/** A Name is a hash algorithm followed by a digest. */
function showName(raw: Uint8Array): string {
  if (raw.length < 3) return raw.length === 0 ? 'empty' : toHex(raw)
  const hash = algorithm(Number(number(raw.subarray(0, 2))))
  return `${hash} ${toHex(raw.subarray(2, 6))}…`
}

function showDigest(raw: Uint8Array): string {
  return raw.length === 0 ? 'empty' : `${toHex(raw.subarray(0, 4))}…`
}

const count = (raw: Uint8Array): string => String(number(raw))

const CLOCK: Meanings = {
  clock: {
    means: 'total time this TPM has been powered',
    show: (raw) => powered(number(raw)),
  },
  resetCount: { means: 'how often this TPM was reset: every boot is one', show: count },
  restartCount: { means: 'how often it resumed from sleep since that reset', show: count },
  safe: {
    means: 'whether the clock was never higher than now',
    show: (raw) => (number(raw) === 1n ? 'yes' : `no (${number(raw)})`),
  },
}

const FIRMWARE: Meaning = {
  means: 'version of the TPM firmware, in the vendor’s numbering',
  show: (raw) => `0x${toHex(raw)}`,
}

function under(prefix: string, meanings: Meanings): Meanings {
  return Object.fromEntries(
    Object.entries(meanings).map(([path, meaning]) => [`${prefix}.${path}`, meaning]),
  )
}

/** TPMS_ATTEST (Part 2, 10.12.12). */
export const ATTEST_MEANINGS: Meanings = {
  magic: {
    means: 'the mark (magic) of structures that a TPM generated',
    show: (raw) =>
      number(raw) === BigInt(TPM_GENERATED_VALUE) ? 'made by a TPM' : 'NOT the mark of a TPM',
  },
  type: {
    means: 'type of the attestation structure',
    show: (raw) => attestationKind(Number(number(raw))) ?? 'unknown',
  },
  'qualifiedSigner.size': SIZE,
  qualifiedSigner: {
    means: 'qualified name of the signing key: a hash of the key and its parent keys',
    show: showName,
  },
  'extraData.size': SIZE,
  extraData: { means: 'the nonce the verifier asked for', show: textOrHex },
  ...under('clockInfo', CLOCK),
  firmwareVersion: FIRMWARE,
  'attested.pcrSelect.count': { means: 'number of PCR banks in the quote', show: count },
  'attested.pcrSelect.hash': {
    means: 'the bank: each bank has its own set of PCRs',
    show: (raw) => algorithm(Number(number(raw))),
  },
  'attested.pcrSelect.sizeofSelect': {
    means: 'length of the bitmap that follows',
    show: (raw) => bytes(number(raw)),
  },
  'attested.pcrSelect.pcrSelect': {
    means: 'the quoted PCRs, one bit each',
    show: (raw) => `PCR ${presentPcrs(pcrsOfBitmap(raw))}`,
  },
  'attested.pcrDigest.size': SIZE,
  'attested.pcrDigest': {
    means: 'hash of the concatenated PCR values',
    show: showDigest,
  },
  'attested.name.size': SIZE,
  'attested.name': { means: 'name of the attested key', show: showName },
  'attested.qualifiedName.size': SIZE,
  'attested.qualifiedName': {
    means: 'qualified name of the attested key, including its parent keys',
    show: showName,
  },
  'attested.time': {
    means: 'time since the TPM was powered on',
    show: (raw) => powered(number(raw)),
  },
  ...under('attested.clockInfo', CLOCK),
  'attested.firmwareVersion': FIRMWARE,
  'attested.bytes': {
    means: 'attested data; this type is not decoded further',
    show: (raw) => bytes(raw.length),
  },
  leftover: {
    means: 'bytes after the end of the structure',
    show: (raw) => bytes(raw.length),
  },
}
