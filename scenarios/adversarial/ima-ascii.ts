import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.ima-ascii', 'e6-ima-ascii')
