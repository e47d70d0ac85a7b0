import type { CheckResult, FailedStep } from './result.ts'

/** One sentence about a check that did not hold. */
export const checkSentence = ({ requirement, what, expected, received }: CheckResult): string =>
  `${requirement}: ${what} was expected to be ${expected}, and was ${received}`

/** One sentence about a step that failed, with the requirement that the subject violated. */
export const stepSentence = ({ requirement, what, expected, received }: FailedStep): string => {
  const named = requirement === undefined ? '' : `${requirement}: `
  return `${named}${what} was expected to give ${expected}, and gave ${received}`
}
