import { errorFamily } from './support/error-family.ts'

export default errorFamily('http.errors')
