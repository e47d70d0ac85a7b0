import { parseAttest, type TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'
import { TPM_GENERATED_VALUE, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { BANKS, bankOf, HASHES } from '../../../simulator/tpm/hash.ts'
import type { TPMS_PCR_SELECTION } from '../../../simulator/tpm/pcr-selection.ts'
import { presentPcrSelections } from '../../../simulator/tpm/pcr-selection.ts'
import type { Blob } from '../blob.ts'
import type { Fact, Field } from '../inspection.ts'
import { readFields, type Structure } from '../read-fields.ts'
import { algorithm, powered, textOrHex } from '../show.ts'
import type { WarningId, Warnings } from '../warnings.ts'
import { ATTEST_MEANINGS, attestationKind } from './attest-meanings.ts'

export const ATTEST_PART = 'TPMS_ATTEST'
export const ATTEST_ABOUT = 'the signed attestation structure'

const USUAL_BITMAP = 3
const IMA_PCR = 10

/** Decodes a TPMS_ATTEST up to the first error, and collects warnings. */
export function readAttestPart({ bytes }: Blob, warnings: Warnings): Structure<TPMS_ATTEST> {
  const read = readFields(ATTEST_PART, bytes, ATTEST_MEANINGS, parseAttest)
  if (read.value !== undefined) warnOfAttest(read.value, read.fields, warnings)
  return read
}

function warnOfAttest(attest: TPMS_ATTEST, fields: readonly Field[], warnings: Warnings): void {
  const warn = (id: WarningId, path: string, says: string) => {
    const offset = fields.find((field) => field.path === path)?.offset ?? 0
    warnings.add(id, { part: ATTEST_PART, offset, path, says })
  }
  const { magic, type, extraData, clockInfo, attested, leftover } = attest
  if (magic !== TPM_GENERATED_VALUE) warn('not-tpm-generated', 'magic', `0x${magic.toString(16)}`)
  if (attestationKind(type) === undefined) {
    warn('unknown-attestation', 'type', `0x${type.toString(16)}`)
  } else if (type !== TPM_ST.ATTEST_QUOTE) {
    warn('not-a-quote', 'type', attestationKind(type) ?? '')
  }
  if (extraData.length === 0) warn('empty-nonce', 'extraData', '0 bytes')
  if (clockInfo.safe !== 1) warn('clock-not-safe', 'clockInfo.safe', `${clockInfo.safe}`)
  if (attested.kind === 'quote') {
    warnOfSelections(attested.pcrSelect, 'attested.pcrSelect', warn)
    const { length } = attested.pcrDigest
    if (!BANKS.some((bank) => HASHES[bank].size === length)) {
      warn('odd-digest-size', 'attested.pcrDigest', `${length} bytes`)
    }
  }
  if (leftover.length > 0) warn('trailing-bytes', 'leftover', `${leftover.length} bytes`)
}

/** Collects the warnings of a TPML_PCR_SELECTION at the path `prefix`. */
export function warnOfSelections(
  selections: readonly TPMS_PCR_SELECTION[],
  prefix: string,
  warn: (id: WarningId, path: string, says: string) => void,
): void {
  const count = `${prefix}.count`
  if (selections.every(({ pcrs }) => pcrs.length === 0)) warn('empty-selection', count, 'no PCR')
  else if (selections.every(({ hash }) => bankOf(hash) !== 'sha256')) {
    warn('missing-bank', count, presentPcrSelections(selections))
  }
  selections.forEach(({ hash, sizeofSelect, pcrs }, at) => {
    const path = `${prefix}[${at}]`
    const bank = bankOf(hash)
    if (bank === undefined) warn('unknown-bank', `${path}.hash`, algorithm(hash))
    if (selections.findIndex((other) => other.hash === hash) !== at) {
      warn('repeated-bank', `${path}.hash`, algorithm(hash))
    }
    if (sizeofSelect !== USUAL_BITMAP) {
      warn('odd-bitmap', `${path}.sizeofSelect`, `${sizeofSelect} bytes`)
    }
    if ((bank === 'sha384' || bank === 'sha512') && pcrs.includes(IMA_PCR)) {
      warn('padded-bank', `${path}.pcrSelect`, `PCR 10 of ${bank} is quoted`)
    }
  })
}

/** Summary of a TPMS_ATTEST. */
export function attestFacts({ magic, type, extraData, clockInfo, attested }: TPMS_ATTEST): Fact[] {
  const made =
    magic === TPM_GENERATED_VALUE ? 'yes, it has the mark of a TPM' : 'NO, the mark is missing'
  const { clock, resetCount, restartCount } = clockInfo
  return [
    { name: 'made by a TPM', value: made },
    { name: 'kind', value: attestationKind(type) ?? `unknown (0x${type.toString(16)})` },
    { name: 'nonce', value: `${textOrHex(extraData)} (${extraData.length} bytes)` },
    ...(attested.kind === 'quote'
      ? [{ name: 'PCRs', value: presentPcrSelections(attested.pcrSelect) || 'none' }]
      : []),
    {
      name: 'clock',
      value: `powered for ${powered(clock)} in total, reset ${times(resetCount)}, resumed ${times(restartCount)}`,
    },
  ]
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
