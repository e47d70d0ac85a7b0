import { cleartextFamily } from './support/cleartext-family.ts'

export default cleartextFamily('http.cleartext')
