import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'
import type { CertificateKind } from '../../../simulator/x509/recipes.ts'

/** One kind of client certificate, and what an administrator's route makes of it. */
export interface KindRow {
  readonly kind: CertificateKind
  readonly outcome: 'administrator' | 'anonymous'
  /** The requirement that its cells speak for. */
  readonly for: string
  /** The requirement of resumed connections, where that is another. */
  readonly resumed?: string
  /** What is shown, as a sentence goes on after "with". */
  readonly says: string
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'certificates.yaml')

/** Every row of the certificate matrix; a test holds it to the recipes and to the catalogue. */
export const KINDS: readonly KindRow[] = (readYaml(FILE) as { readonly kinds: readonly KindRow[] })
  .kinds

export function requirementsOf({ for: fresh, resumed = fresh }: KindRow): readonly string[] {
  return [...new Set([fresh, resumed])]
}
