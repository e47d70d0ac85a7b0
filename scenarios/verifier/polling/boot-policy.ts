import { pullBootFamily } from '../support/engine.ts'

export default pullBootFamily('verifier.polling.boot-policy')
