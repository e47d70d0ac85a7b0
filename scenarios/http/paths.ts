import { pathFamily } from '../../conformance/dsl.ts'

export default pathFamily('http.paths')
