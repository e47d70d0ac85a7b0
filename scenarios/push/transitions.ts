import { transitionsFamily } from './support/transitions-family.ts'

/** Each state of an attestation with each thing that can come for it: the stages move as the document says, and not otherwise. */
export default transitionsFamily('push.transitions')
