/** What the scenarios of this area take from the engine, besides `conformance/scenario.ts`. */
export { bearer, withAuthorization } from '../../../conformance/client/identity.ts'
export { resumeTls } from '../../../conformance/client/resume-tls.ts'
