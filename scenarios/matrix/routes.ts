import { routesFamily } from './support/routes-family.ts'

/** Each operation under each version: there where the document has it, and not there where it has not. */
export default routesFamily('matrix.routes')
