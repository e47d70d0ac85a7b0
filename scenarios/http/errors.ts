import { errorFamily } from '../../conformance/dsl.ts'

export default errorFamily('http.errors')
