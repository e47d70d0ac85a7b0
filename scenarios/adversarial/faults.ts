import { faultFamily } from '../../conformance/dsl.ts'

export default faultFamily('adversarial.faults')
