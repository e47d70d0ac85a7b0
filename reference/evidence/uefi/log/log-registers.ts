import { LAST_PCR } from '../../quote/claimed-pcrs.ts'

/** The registers that a log is of. */
export interface LogRegisters {
  readonly name: string
  readonly first: number
  readonly last: number
  /** what keeps the log and answers for its registers */
  readonly keeper: string
}

/** PCRs of a TPM. */
export const PCRS: LogRegisters = { name: 'PCR', first: 0, last: LAST_PCR, keeper: 'a TPM' }

/**
 * Measurement registers of a confidential guest, whose log is in the memory that the ACPI table `CCEL` points at
 * (UEFI 38.4.1): for TDX these are RTMR 0 to 3. A log begins with a header for the first of them.
 */
export const GUEST_REGISTERS: LogRegisters = {
  name: 'register',
  first: 1,
  last: 4,
  keeper: 'a confidential guest',
}
