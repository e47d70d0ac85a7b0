import { pollingFamily } from '../support/polling-family.ts'

/** Each misbehaviour of a pull agent (`conformance/catalogue/matrices/polling.yaml`), with a well-behaved agent for comparison. */
export default pollingFamily('verifier.polling.defects', 'verifier.polling.asked')
