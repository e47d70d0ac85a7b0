import { faultFamily } from './support/fault-family.ts'

export default faultFamily('adversarial.faults')
