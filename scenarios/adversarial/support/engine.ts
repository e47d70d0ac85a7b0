/** What the scenarios of this area take from the engine, besides `conformance/scenario.ts`. */
export { baselineRegistration } from '../../../conformance/steps/registration-file.ts'
