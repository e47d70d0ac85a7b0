import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily('adversarial.boot-event', 'e9-uefi-data')
