import { pathFamily } from './support/path-family.ts'

export default pathFamily('http.paths')
