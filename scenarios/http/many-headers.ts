import { manyHeadersFamily } from './support/many-headers-family.ts'

export default manyHeadersFamily('http.many-headers')
