import { manyHeadersFamily } from '../../conformance/dsl.ts'

export default manyHeadersFamily('http.many-headers')
