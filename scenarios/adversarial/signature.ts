import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.signature', 'e3-signature')
