import { readFileSync } from 'node:fs'
import { fromBase64 } from '../../bytes/base64.ts'

/** Evidence of a guest in base64: a report, and the certificate of the key that signed it. */
export interface WrittenReport {
  readonly report: string
  readonly vcek: string
}

interface WrittenReports {
  readonly guest: Readonly<Record<'nonce' | 'x' | 'y', string>>
  readonly usual: WrittenReport
  /** What is different with each fault. */
  readonly faults: Readonly<Record<string, Partial<WrittenReport>>>
}

const FIXTURES = new URL('../../../fixtures/', import.meta.url)

/** The reports of `fixtures/sev-snp/`. */
export const REPORTS: WrittenReports = JSON.parse(
  readFileSync(new URL('sev-snp/reports.json', FIXTURES), 'utf8'),
)

/** The file with the certificates of the maker of their processor. */
export const PROCESSOR_MAKER = new URL('makers/sev-snp.pem', FIXTURES).pathname

/** The right report. */
export function usualReport(): Uint8Array {
  return fromBase64(REPORTS.usual.report)
}
