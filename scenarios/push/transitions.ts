import { transitionsFamily } from './support/transitions-family.ts'

/** Each state of an attestation with each event: the stages change only as the document specifies. */
export default transitionsFamily('push.transitions')
