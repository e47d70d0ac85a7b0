import type { Check, Expectation } from '../../conformance/attempt/check.ts'
import type { CatalogueRow } from '../../conformance/catalogue/requirement.ts'

/** Wraps the check of a context and records whether a check has failed; silent rows do not count. */
export function watchCheck(
  check: Check,
  rows: readonly CatalogueRow[],
): { readonly check: Check; hasFailed(): boolean } {
  const open = new Set(rows.filter(({ strength }) => strength === 'silent').map(({ id }) => id))
  let failed = false
  const seen = (requirement: string, holds: boolean): boolean => {
    if (!holds && !open.has(requirement)) failed = true
    return holds
  }
  const watchedOf = <T>(requirement: string, inner: Expectation<T>): Expectation<T> => ({
    is: (expected) => seen(requirement, inner.is(expected)),
    isNot: (unwanted) => seen(requirement, inner.isNot(unwanted)),
    isOneOf: (expected) => seen(requirement, inner.isOneOf(expected)),
    matches: (expected, holds) => seen(requirement, inner.matches(expected, holds)),
    meets: (readings) => seen(requirement, inner.meets(readings)),
  })
  const watched: Check = (requirement, what, cell) => {
    const { of, measured } = check(requirement, what, cell)
    return {
      of: (received) => watchedOf(requirement, of(received)),
      measured: (received) => watchedOf(requirement, measured(received)),
    }
  }
  return { check: watched, hasFailed: () => failed }
}
