import { readFileSync } from 'node:fs'
import { writeAttest } from '../../simulator/tpm/attest.ts'
import { TPM_ST } from '../../simulator/tpm/constants.ts'
import { selectPcrs } from '../../simulator/tpm/pcr-selection.ts'
import { filled, text } from '../../simulator/tpm/write.ts'
import type { Inspection, InspectionReport, Kind } from './inspection.ts'
import { inspectGiven } from './main.ts'

/** Path of a file of the recorded boot, from the directory in which tests run. */
export function bootFile(name: string): string {
  return `fixtures/boots/full-ovmf-imasig/${name}`
}

export function bootBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(bootFile(name)))
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** `r…:…:…` of a recorded quote. */
export function quoteText(name = 'rsassa_sha256_10'): string {
  return `r${['attest', 'sig', 'pcrs'].map((part) => base64(bootBytes(`${name}.${part}`))).join(':')}`
}

/** Bytes or text as a file called `given`. */
export function reportOn(
  kind: Kind,
  content: Uint8Array | string,
  options: {
    readonly ak?: string
    readonly pcrs?: string
    readonly trust?: string
    readonly entries?: number
  } = {},
): InspectionReport {
  const bytes = typeof content === 'string' ? text(content) : content
  return inspectGiven({ kind, entries: 10, ...options }, [{ file: 'given', bytes }])
}

/** The inspection of one file. */
export function inspected(...words: Parameters<typeof reportOn>): Inspection {
  const [only] = reportOn(...words).inspections
  if (only === undefined) throw new Error('nothing was inspected')
  return only
}

/** Ids of the warnings of a file. */
export function warningsOf(...words: Parameters<typeof reportOn>): readonly string[] {
  return inspected(...words).warnings.map(({ id }) => id)
}

type AttestFields = Parameters<typeof writeAttest>[0]

/** A regular TPMS_ATTEST of a quote with the given changes. */
export function attestWith(change: Partial<AttestFields> = {}): Uint8Array {
  return writeAttest({
    type: TPM_ST.ATTEST_QUOTE,
    qualifiedSigner: filled(34, 1),
    extraData: text('a nonce'),
    clockInfo: { clock: 5000n, resetCount: 1, restartCount: 0, safe: 1 },
    firmwareVersion: 1n,
    attested: { kind: 'quote', pcrSelect: [selectPcrs('sha256', [10])], pcrDigest: filled(32, 2) },
    leftover: filled(0),
    ...change,
  })
}
