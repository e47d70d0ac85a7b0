import { framingFamily } from '../../conformance/dsl.ts'

export default framingFamily('http.framing')
