/** What the scenarios of this area take from the engine, besides `conformance/scenario.ts`. */
export {
  checkBootLogs,
  checkLists,
  LIST_REQUIREMENTS,
} from '../../../conformance/oracle/check-lists.ts'
export { stepsOf, tokensGiven } from '../../../conformance/oracle/recording-parts.ts'
