import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'

/**
 * One mutant of the reference, and what must go red on it. Exactly one of `kills`, `warns`,
 * `doubled` and `unjudged` stands in a row.
 */
export interface MutantRow {
  readonly id: string
  /** The requirement whose check must go red: in every scenario that speaks for it, or in those of `by`. */
  readonly kills?: string
  /** The requirement, of two readings, whose check must warn in the cells of a matrix; the run conforms all the same. */
  readonly warns?: string
  /** Scenarios that go red, when not all that speak for the requirement do; of a matrix, those that are asked at all. */
  readonly by?: string
  /** A matrix, and its cells that go red: all of them and no other; a `*` stands for any text. */
  readonly matrix?: string
  readonly cells?: readonly string[]
  /** Versions under which it is judged, where the others would show nothing more; all when absent. */
  readonly versions?: readonly string[]
  /** How many cells are red, where a pattern fits more than those that must be. */
  readonly red?: number
  /** Further requirements that red cells speak for. */
  readonly also?: readonly string[]
  /** What it is started from: `short-lived` for the target whose tokens and session challenges live for four seconds, `short-interval` for that whose quote interval is two. */
  readonly target?: string
  /** It behaves like the reference, as another check says the same: which. */
  readonly doubled?: string
  /** It behaves otherwise, but the document does not say that it must not. */
  readonly unjudged?: string
}

const FOLDER = join(packageRoot(), 'conformance', 'catalogue', 'mutants')

/** All rows, file by file. */
export function loadMutants(): readonly MutantRow[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => readYaml(join(FOLDER, file)) as readonly MutantRow[])
}

/** Whether a cell is one of those that a pattern means. */
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
