import { readFileSync } from 'node:fs'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'

/** A file of the command line with its bytes. */
export interface Given {
  readonly file: string
  readonly bytes: Uint8Array
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a directory',
}

/** Reads a file; `-` is standard input. Throws a {@link SetupFault} if it cannot be read. */
export function readGiven(file: string, option?: string): Given {
  try {
    return { file, bytes: new Uint8Array(readFileSync(file === '-' ? 0 : file)) }
  } catch (cause) {
    const why = WHY[codeOf(cause)] ?? `it cannot be read (${codeOf(cause)})`
    const name = option === undefined ? file : `${option} ${file}`
    throw new SetupFault(`${name}: ${why}`, {
      next: 'give a file that is there, or - for standard input',
      cause,
    })
  }
}
