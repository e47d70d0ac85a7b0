import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'

/**
 * One mutant of the reference and the checks that must fail on it. Each row has exactly one of `kills`, `doubled`
 * and `unjudged`.
 */
export interface MutantRow {
  readonly id: string
  /** The requirement whose check must fail, in every scenario that names it or in those of `by`. */
  readonly kills?: string
  /** The scenarios that must fail, if not all that name the requirement; for a matrix, the scenarios to run. */
  readonly by?: string
  /** A matrix and exactly its cells that must fail; `*` matches any text. */
  readonly matrix?: string
  readonly cells?: readonly string[]
  /** Versions to run, if the others would show nothing more. Default: all. */
  readonly versions?: readonly string[]
  /** Number of failing cells, if a pattern matches more cells than must fail. */
  readonly red?: number
  /** Further requirements of failing cells. */
  readonly also?: readonly string[]
  /** Base target: `agent`, `push-agent` or `tenant`. */
  readonly target?: string
  /** Equivalent to the reference because of another check: which one. */
  readonly doubled?: string
  /** Differs from the reference in a way that the document allows: how. */
  readonly unjudged?: string
}

const FOLDER = join(packageRoot(), 'conformance', 'catalogue', 'mutants')

/** All rows, by file. */
export function loadMutants(): readonly MutantRow[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => readYaml(join(FOLDER, file)) as readonly MutantRow[])
}

/** Whether a pattern matches a cell. */
export function fitsPattern(pattern: string, cell: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return cell === pattern
  if (!cell.startsWith(first)) return false
  return fitsRest(rest, cell.slice(first.length))
}

function fitsRest([next = '', ...rest]: readonly string[], text: string): boolean {
  if (rest.length === 0) return text.endsWith(next)
  const at = text.indexOf(next)
  return at >= 0 && fitsRest(rest, text.slice(at + next.length))
}
