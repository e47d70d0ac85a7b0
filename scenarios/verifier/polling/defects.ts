import { pollingFamily } from '../../../conformance/dsl.ts'

/** Each way in which a pull agent can go wrong (`spec/matrices/polling.yaml`), beside an agent that does not. */
export default pollingFamily('verifier.polling.defects', 'verifier.polling.asked')
