import { type Attest, TPM_GENERATED_VALUE } from '../../tpm/attest.ts'
import type { Attempt } from '../../tpm/codec.ts'
import type { Check } from '../check.ts'
import type { Finding } from '../findings.ts'

/** The fields of a received part that these checks need. */
interface Part {
  readonly problem?: Error | undefined
}

/** The check that received parts can be read to their last byte; the first problem is reported by `report`. */
export function structureCheck<Case>(
  id: string,
  partsOf: (subject: Case) => readonly Part[],
  report: (message: string) => Finding,
): Check<Case> {
  return {
    id,
    why: 'a byte that one reader skips is a byte that another reader may believe',
    run: (subject) => {
      const broken = partsOf(subject).find(({ problem }) => problem)
      return broken?.problem && report(broken.problem.message)
    },
  }
}

/** The check of TPMS_ATTEST.magic (Part 2, 10.12.12), of a quote as of a certification. */
export function magicCheck<Case extends { readonly attest: Attempt<Attest> }>(
  id: string,
  report: (message: string) => Finding,
): Check<Case> {
  return {
    id,
    why: 'a restricted key signs a structure beginning with TPM_GENERATED_VALUE only if the TPM made it',
    run: ({ attest: { value } }) =>
      value && value.magic !== TPM_GENERATED_VALUE
        ? report(`TPMS_ATTEST.magic at byte 0: expected 0xff544347, got ${hex32(value.magic)}`)
        : undefined,
  }
}

function hex32(value: number): string {
  return `0x${value.toString(16).padStart(8, '0')}`
}
