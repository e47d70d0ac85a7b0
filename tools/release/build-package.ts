import { execFile } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SetupFault } from '../../conformance/input/fault.ts'
import { makeDirectory } from '../../conformance/input/make-directory.ts'

const run = promisify(execFile)
const MOST_BYTES = 2 ** 26

/** Runs a program and returns its standard output. Throws a {@link SetupFault} with the last line of what it printed. */
export async function outputOf(
  program: string,
  words: readonly string[],
  cwd: string,
): Promise<string> {
  try {
    return (await run(program, words, { cwd, maxBuffer: MOST_BYTES })).stdout
  } catch (cause) {
    const { stderr = '', message } = cause as { stderr?: string; message: string }
    const last = stderr.trim().split('\n').at(-1)
    throw new SetupFault(`${program} ${words[0]} failed: ${last || message}`, {
      next: 'run it in a clone of the repository, with git and npm',
      cause,
    })
  }
}

/**
 * Writes the files of a commit to `<directory>/assay`, with the installed packages, and returns that path. npm names
 * the SBOM's component by this directory.
 */
export async function checkOut(root: string, commit: string, directory: string): Promise<string> {
  const checkout = join(directory, 'assay')
  makeDirectory(checkout)
  const archive = join(directory, 'source.tar')
  await outputOf('git', ['archive', `--output=${archive}`, commit], root)
  await outputOf('tar', ['-xf', archive, '-C', checkout], root)
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  return checkout
}

/** Builds the package of a checkout; returns the path of the .tgz, which lies beside it. */
export async function buildPackage(checkout: string): Promise<string> {
  const directory = join(checkout, '..')
  await outputOf('npm', ['pack', '--silent', '--pack-destination', directory], checkout)
  const [name = ''] = readdirSync(directory).filter((file) => file.endsWith('.tgz'))
  return join(directory, name)
}
