import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { INSTALL_SWTPM } from '../../simulator/swtpm/process.ts'
import { SetupFault } from '../input/fault.ts'

/** Refuses to run without swtpm, which every virtual TPM needs. Throws a {@link SetupFault}. */
export function checkSwtpm(path: string | undefined): void {
  const found = (path ?? '')
    .split(delimiter)
    .some((directory) => isProgram(join(directory, 'swtpm')))
  if (found) return
  throw new SetupFault(
    'swtpm is not installed, and every machine of a scenario needs a virtual TPM',
    { next: `type: ${INSTALL_SWTPM}`, code: 'D-SWTPM' },
  )
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
