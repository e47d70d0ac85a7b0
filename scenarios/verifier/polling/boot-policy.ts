import { pullBootFamily } from '../../../conformance/dsl.ts'

export default pullBootFamily('verifier.polling.boot-policy')
