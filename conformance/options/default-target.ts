import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageRoot } from '../input/package-root.ts'

/**
 * The target file of the reference, if this copy contains it; otherwise `assay.target.yaml` in the working directory.
 */
export function defaultTarget(name = 'assay'): string {
  const file = join(packageRoot(), 'reference', `${name}.target.yaml`)
  return existsSync(file) ? relative(process.cwd(), file) : 'assay.target.yaml'
}

/** Adds `--target` with the default target file, unless the arguments have one. */
export function withTarget(argv: readonly string[], name?: string): readonly string[] {
  const isNamed = argv.some((word) => word === '--target' || word.startsWith('--target='))
  return isNamed ? argv : ['--target', defaultTarget(name), ...argv]
}
