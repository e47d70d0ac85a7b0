/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { baselineRegistration } from '../../../conformance/steps/registration-file.ts'
