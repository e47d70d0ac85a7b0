import { failureFamily } from './support/failure-family.ts'

export default failureFamily('push.failures')
