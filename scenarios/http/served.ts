import { servedFamily } from '../../conformance/dsl.ts'

export default servedFamily('http.served')
