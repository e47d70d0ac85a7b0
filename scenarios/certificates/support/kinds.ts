import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'
import type { CertificateKind } from '../../../simulator/x509/recipes.ts'

/** One kind of client certificate, and the expected answer of an administrator route. */
export interface KindRow {
  readonly kind: CertificateKind
  readonly outcome: 'administrator' | 'anonymous' | 'either'
  /** Requirement of its cells. */
  readonly for: string
  /** Requirement for resumed connections, if different. */
  readonly resumed?: string
  /** Description of the certificate, as the object of "with". */
  readonly says: string
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'certificates.yaml')

/** Every row of the certificate matrix; a test compares it with the recipes and the catalogue. */
export const KINDS: readonly KindRow[] = (readYaml(FILE) as { readonly kinds: readonly KindRow[] })
  .kinds

export function requirementsOf({ for: fresh, resumed = fresh }: KindRow): readonly string[] {
  return [...new Set([fresh, resumed])]
}
