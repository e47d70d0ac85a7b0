import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'
import { selects } from '../runner/plan.ts'

/** A published weakness, and what would find it in a deployment. Exactly one of `scenarios` and `not` stands in a row. */
export interface Vulnerability {
  /** Its public number; a word where none was given. */
  readonly id: string
  /** The kind of component it was in. */
  readonly of: string
  readonly says: string
  /** Ids of scenarios, or the beginnings of some with a `*`. */
  readonly scenarios?: readonly string[]
  /** Why it cannot be decided by requests and replies. */
  readonly not?: string
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'vulnerabilities.yaml')

export function loadVulnerabilities(): readonly Vulnerability[] {
  return readYaml(FILE) as readonly Vulnerability[]
}

/** The scenarios that a row names, of those that there are. */
export function scenariosOf(
  { scenarios = [] }: Vulnerability,
  ids: readonly string[],
): readonly string[] {
  return ids.filter((id) => scenarios.some((pattern) => selects(pattern, id)))
}
