import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.attest', 'e2-attest')
