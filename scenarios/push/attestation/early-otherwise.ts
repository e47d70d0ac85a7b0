import { earlyScenario } from '../support/early-scenario.ts'

/** A verifier of other settings may send early agents away where the usual one accepts them. */
export default earlyScenario(
  'push.attestation.early-otherwise',
  'A verifier with other settings accepts an agent that returns too early, or answers with the time to return',
  'short_lifetimes',
)
