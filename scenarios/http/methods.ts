import { methodFamily } from '../../conformance/dsl.ts'

export default methodFamily('http.methods')
