import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.pcr-part', 'e4-pcr-part')
