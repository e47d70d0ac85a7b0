/** What the scenarios of this area take from the engine, besides `conformance/scenario.ts`. */
export {
  bearing,
  NO_CHALLENGE,
  NO_TOKEN,
  tokenOf,
} from '../../../conformance/client/agents/session-replies.ts'
export { withAuthorization } from '../../../conformance/client/identity.ts'
export { restartVerifier } from '../../../conformance/steps/restart-verifier.ts'
