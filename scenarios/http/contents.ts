import { contentFamily } from '../../conformance/dsl.ts'

export default contentFamily('http.contents')
