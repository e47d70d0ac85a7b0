import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupFault } from '../input/fault.ts'

/** Virtual TPMs are swtpm's; without it no machine can be made, and that is nobody's failure but the set-up's. */
export function checkSwtpm(path: string | undefined): void {
  const found = (path ?? '')
    .split(delimiter)
    .some((directory) => isProgram(join(directory, 'swtpm')))
  if (found) return
  throw new SetupFault(
    'swtpm is not installed, and every machine of a scenario has a virtual TPM',
    {
      next: 'type: apt-get install swtpm',
    },
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
