import { nearMissFamily } from './support/near-miss-family.ts'

export default nearMissFamily('adversarial.near-misses', 'adversarial.attest.golden-soft')
