import { routesFamily } from './support/routes-family.ts'

/** Each operation exists under exactly the versions for which the document has it. */
export default routesFamily('matrix.routes')
