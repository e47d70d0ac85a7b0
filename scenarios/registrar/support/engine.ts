/** What the scenarios of this area take from the engine, besides `conformance/scenario.ts`. */
export { SOME_SERVER_CERTIFICATE } from '../../../conformance/client/agents/some-certificate.ts'
