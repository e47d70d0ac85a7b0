import { earlyScenario } from '../support/early-scenario.ts'

export default earlyScenario(
  'push.attestation.early',
  'The verifier accepts an agent that returns too early, or answers with the time to return',
)
