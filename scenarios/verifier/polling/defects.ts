import { pollingFamily } from '../support/polling-family.ts'

/** Each way in which a pull agent can go wrong (`spec/matrices/polling.yaml`), beside an agent that does not. */
export default pollingFamily('verifier.polling.defects', 'verifier.polling.asked')
