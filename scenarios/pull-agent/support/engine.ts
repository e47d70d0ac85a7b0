/** Engine exports used by the scenarios of this area, in addition to `conformance/scenario.ts`. */

export { unbase64 } from '../../../conformance/client/bytes.ts'
export { namesOfKey } from '../../../conformance/oracle/key-names.ts'
export { compareQuote } from '../../../conformance/oracle/known-quote.ts'
export { gapsOf } from '../../../conformance/oracle/pauses.ts'
export { readQuote } from '../../../conformance/oracle/read-quote.ts'
export {
  checkAttestationKey,
  checkEndorsement,
} from '../../../conformance/oracle/registered-keys.ts'
export {
  awaitDerived,
  freshNonce,
  giveKeys,
  goodCall,
  proveKey,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../../../conformance/peers/agent-operations.ts'
export {
  makeBootstrapKeys,
  proofOf,
  sealPayload,
  tagOf,
} from '../../../conformance/peers/bootstrap-keys.ts'
export { activationNonce, sha256 } from '../../../conformance/steps/deep-quote.ts'
export { registrarStepOf } from '../../../simulator/services/registrar-truth.ts'
