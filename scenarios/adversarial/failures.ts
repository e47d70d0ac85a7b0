import { failuresFamily } from './support/near-miss-family.ts'

export default failuresFamily('adversarial.failures', 'verifier.evidence-over-another-nonce')
