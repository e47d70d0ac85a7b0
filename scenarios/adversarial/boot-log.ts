import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.boot-log', 'e8-uefi-log')
