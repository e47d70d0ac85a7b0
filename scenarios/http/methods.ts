import { methodFamily } from './support/method-family.ts'

export default methodFamily('http.methods')
