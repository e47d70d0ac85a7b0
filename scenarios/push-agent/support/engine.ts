/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export {
  checkBootLogs,
  checkListCoversQuote,
  checkLists,
  LIST_REQUIREMENTS,
} from '../../../conformance/oracle/check-lists.ts'
export {
  firstOf,
  stepsOf,
  takenOf,
  tokensGiven,
} from '../../../conformance/oracle/recording-parts.ts'
