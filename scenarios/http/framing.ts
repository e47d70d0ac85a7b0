import { framingFamily } from './support/framing-family.ts'

export default framingFamily('http.framing')
