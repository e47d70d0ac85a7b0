/** What the scenarios of this area take from the engine, besides `conformance/scenario.ts`. */
export { goldenRegistration } from '../../../conformance/steps/registration-file.ts'
