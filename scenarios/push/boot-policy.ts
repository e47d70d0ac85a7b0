import { pushBootFamily } from '../../conformance/dsl.ts'

export default pushBootFamily('push.boot-policy')
