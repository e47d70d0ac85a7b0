import { deepQuoteFamily } from './support/deep-quote-family.ts'

/** Deep quotes: a right one, and each fault. */
export default deepQuoteFamily('registrar.deep-quotes')
