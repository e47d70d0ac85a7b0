/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */
export { SOME_SERVER_CERTIFICATE } from '../../../conformance/client/agents/some-certificate.ts'
