import { TPM_GENERATED_VALUE, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { pcrsOfBitmap, presentPcrs } from '../../../simulator/tpm/pcr-selection.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { Meaning, Meanings } from '../read-fields.ts'
import { algorithm, bytes, number, powered, textOrHex } from '../show.ts'

const KINDS: ReadonlyMap<number, string> = new Map([
  [TPM_ST.ATTEST_NV, 'NV: contents of an index in the TPM’s memory'],
  [TPM_ST.ATTEST_COMMAND_AUDIT, 'command audit'],
  [TPM_ST.ATTEST_SESSION_AUDIT, 'session audit'],
  [TPM_ST.ATTEST_CERTIFY, 'certify: a statement about a key'],
  [TPM_ST.ATTEST_QUOTE, 'quote: a statement about registers'],
  [TPM_ST.ATTEST_TIME, 'time: a statement about the clock'],
  [TPM_ST.ATTEST_CREATION, 'creation: a statement about how a key was made'],
  [TPM_ST.ATTEST_NV_DIGEST, 'NV digest'],
])

/** Name of a TPMI_ST_ATTEST, or undefined for one the specification does not have. */
export function attestationKind(type: number): string | undefined {
  return KINDS.get(type)
}

const SIZE: Meaning = {
  means: 'length of the next field',
  show: (raw) => bytes(number(raw)),
}

/** A Name begins with the algorithm of the hash that follows. */
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
    means: 'how long this TPM has been powered in its life',
    show: (raw) => powered(number(raw)),
  },
  resetCount: { means: 'how often this TPM was reset: every boot is one', show: count },
  restartCount: { means: 'how often it woke from sleep since that reset', show: count },
  safe: {
    means: 'whether the clock was never higher than it is now',
    show: (raw) => (number(raw) === 1n ? 'yes' : `no (${number(raw)})`),
  },
}

const FIRMWARE: Meaning = {
  means: 'version of the program inside the TPM, as its maker counts',
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
    means: 'the mark a TPM puts on what it made itself',
    show: (raw) =>
      number(raw) === BigInt(TPM_GENERATED_VALUE) ? 'made by a TPM' : 'not the mark of a TPM',
  },
  type: {
    means: 'what kind of statement this is',
    show: (raw) => attestationKind(Number(number(raw))) ?? 'unknown',
  },
  'qualifiedSigner.size': SIZE,
  qualifiedSigner: {
    means: 'name of the key that signed: a hash of it and of the keys above it',
    show: showName,
  },
  'extraData.size': SIZE,
  extraData: { means: 'the nonce the verifier asked for', show: textOrHex },
  ...under('clockInfo', CLOCK),
  firmwareVersion: FIRMWARE,
  'attested.pcrSelect.count': { means: 'how many banks of registers were read', show: count },
  'attested.pcrSelect.hash': {
    means: 'the bank: every register exists once for each hash',
    show: (raw) => algorithm(Number(number(raw))),
  },
  'attested.pcrSelect.sizeofSelect': {
    means: 'length of the bitmap that follows',
    show: (raw) => bytes(number(raw)),
  },
  'attested.pcrSelect.pcrSelect': {
    means: 'the registers that were read, one bit each',
    show: (raw) => `PCR ${presentPcrs(pcrsOfBitmap(raw))}`,
  },
  'attested.pcrDigest.size': SIZE,
  'attested.pcrDigest': {
    means: 'hash of the values of these registers, one after the other',
    show: showDigest,
  },
  'attested.name.size': SIZE,
  'attested.name': { means: 'name of the key that is vouched for', show: showName },
  'attested.qualifiedName.size': SIZE,
  'attested.qualifiedName': {
    means: 'the same with the keys above it',
    show: showName,
  },
  'attested.time': {
    means: 'how long the TPM has been on, this time',
    show: (raw) => powered(number(raw)),
  },
  ...under('attested.clockInfo', CLOCK),
  'attested.firmwareVersion': FIRMWARE,
  'attested.bytes': {
    means: 'what is stated: this kind is not read any further here',
    show: (raw) => bytes(raw.length),
  },
  leftover: {
    means: 'after the end: nothing accounts for it',
    show: (raw) => bytes(raw.length),
  },
}
