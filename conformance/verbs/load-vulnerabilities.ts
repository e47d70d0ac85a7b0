import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'
import { selects } from '../runner/cells/cell-selection.ts'

/** A published weakness, and the scenarios that detect it. A row has exactly one of `scenarios` and `not`. */
export interface Vulnerability {
  /** Its public identifier; a word if it has none. */
  readonly id: string
  /** The kind of component it was in. */
  readonly of: string
  readonly says: string
  /** Ids of scenarios, or prefixes with a `*`. */
  readonly scenarios?: readonly string[]
  /** Why it cannot be decided by requests and replies. */
  readonly not?: string
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'vulnerabilities.yaml')

export function loadVulnerabilities(): readonly Vulnerability[] {
  return readYaml(FILE) as readonly Vulnerability[]
}

/** The existing scenarios that a row names. */
export function scenariosOf(
  { scenarios = [] }: Vulnerability,
  ids: readonly string[],
): readonly string[] {
  return ids.filter((id) => scenarios.some((pattern) => selects(pattern, id)))
}
