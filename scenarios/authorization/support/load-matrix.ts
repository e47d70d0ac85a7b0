import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'

/** Form of the `Authorization` header. */
export type HeaderForm = 'none' | 'bearer' | 'basic' | 'empty' | 'bare' | 'twice'

/** Owner of the token in a header. */
export type TokenOwner = 'own' | 'other' | 'never-issued' | 'altered' | 'deleted'

export type CertificateKind = 'none' | 'admin' | 'self-signed'

export interface HeaderRow {
  readonly id: string
  readonly form: HeaderForm
  readonly token?: TokenOwner
  readonly lines: readonly number[]
}

/** Expected result of a request, and the key under which its operation names the requirement: `refused agent`. */
type Verdict = string

interface CategoryRow {
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
  /** The requirement of each verdict, or of all verdicts. */
  readonly says: string | Readonly<Record<string, string>>
  /** Words whose `allowed` cells the document also permits to be refused. */
  readonly either?: readonly string[]
  /** Requirement that a refused request changes nothing; absent for read operations. */
  readonly unchanged?: string
}

/** Shape of `conformance/catalogue/matrices/authorization.yaml`, which describes its members. */
export interface AuthorizationMatrix {
  readonly headers: readonly HeaderRow[]
  readonly certificates: readonly CertificateKind[]
  readonly categories: readonly CategoryRow[]
  readonly words: Readonly<Record<string, string>>
  readonly operations: readonly OperationEntry[]
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'authorization.yaml')

/** Loads the authorization matrix; a test compares it with the document, the routes and the catalogue. */
export function loadMatrix(): AuthorizationMatrix {
  return readYaml(FILE) as AuthorizationMatrix
}
