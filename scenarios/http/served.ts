import { servedFamily } from './support/served-family.ts'

export default servedFamily('http.served')
