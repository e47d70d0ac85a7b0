import { pushBootFamily } from './support/engine.ts'

export default pushBootFamily('push.boot-policy')
