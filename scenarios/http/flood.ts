import { floodFamily } from '../../conformance/dsl.ts'

export default floodFamily('http.flood')
