import { floodFamily } from './support/flood-family.ts'

export default floodFamily('http.flood')
