import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'

/** How an `Authorization` header is written. */
export type HeaderForm = 'none' | 'bearer' | 'basic' | 'empty' | 'bare' | 'twice'

/** Whose token a header holds. */
export type TokenOwner = 'own' | 'other' | 'never-issued' | 'altered' | 'deleted'

export type CertificateKind = 'none' | 'admin' | 'self-signed'

export interface HeaderRow {
  readonly id: string
  readonly form: HeaderForm
  readonly token?: TokenOwner
  readonly lines: readonly number[]
}

/** What a request must come to, and the word under which its operation names the requirement: `refused agent`. */
export type Verdict = string

export interface CategoryRow {
  readonly id: string
  readonly lines: readonly number[]
  /** Header -> a verdict for each certificate. */
  readonly verdicts: Readonly<Record<string, readonly Verdict[]>>
}

export interface OperationEntry {
  readonly component: 'registrar' | 'verifier'
  readonly operation: string
  readonly since: string
  readonly until?: string
  readonly category: string
  readonly lines: readonly number[]
  /** The requirement of each word, or of all words. */
  readonly says: string | Readonly<Record<string, string>>
  /** The requirement that nothing changed by a refused request speaks for; absent where it only reads. */
  readonly unchanged?: string
}

/** `spec/matrices/authorization.yaml`, which tells what the members mean. */
export interface AuthorizationMatrix {
  readonly headers: readonly HeaderRow[]
  readonly certificates: readonly CertificateKind[]
  readonly categories: readonly CategoryRow[]
  readonly words: Readonly<Record<string, string>>
  readonly operations: readonly OperationEntry[]
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'authorization.yaml')

/** The judge's table of who may do what; a test holds it to the document, the routes and the catalogue. */
export function loadMatrix(): AuthorizationMatrix {
  return readYaml(FILE) as AuthorizationMatrix
}
