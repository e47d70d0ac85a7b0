import { StartFault } from '../../errors.ts'

/** What answers is not as a registrar is. */
export class NoRegistrar extends StartFault {}
