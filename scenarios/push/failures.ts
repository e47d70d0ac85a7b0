import { failureFamily } from '../../conformance/dsl.ts'

export default failureFamily('push.failures')
