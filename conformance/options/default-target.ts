import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { packageRoot } from '../input/package-root.ts'

/** The target file that `assay init` writes. */
const OWN = 'assay.target.yaml'

/**
 * The target file in the working directory, which `assay init` has written; otherwise that of the reference, if this
 * copy contains it. With another name: the file of the reference with that name.
 */
export function defaultTarget(name?: string, directory = process.cwd()): string {
  if (name === undefined && existsSync(join(directory, OWN))) return OWN
  const file = join(packageRoot(), 'reference', `${name ?? 'assay'}.target.yaml`)
  return existsSync(file) ? relative(directory, file) : OWN
}

/** What a target file is about, for the first line of a run: its name, and whether it is of the reference. */
export function presentTargetFile({
  name,
  file,
}: {
  readonly name: string
  readonly file: string
}) {
  const reference = join(packageRoot(), 'reference')
  const isOurs = existsSync(file) && existsSync(reference) && isIn(file, reference)
  const hint = 'the reference that comes with Assay; --target FILE names another deployment'
  return isOurs ? `${name}, ${hint}` : `${name}, of the file ${file}`
}

function isIn(file: string, folder: string): boolean {
  return dirname(realpathSync(file)) === realpathSync(folder)
}
