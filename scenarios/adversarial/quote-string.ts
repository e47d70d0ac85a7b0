import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.quote-string', 'e1-quote-string')
