import type { Dialect } from '../../dialects/dialect.ts'

/** First and last version, inclusive. */
interface Span {
  readonly since: string
  readonly until: string
}

/** One row of the harness's route table (`catalogue/matrices/routes.yaml`, which documents the members). */
export interface RouteRow {
  readonly component: 'registrar' | 'verifier'
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Versions in which the document has the route; absent if every such version has two readings. */
  readonly since?: string
  readonly until?: string
  readonly either?: Span & { readonly ambiguity: string }
  readonly unversioned?: true
  readonly where?: Partial<Dialect>
  /** Lines of the interface document. */
  readonly lines: readonly number[]
  readonly says: readonly string[]
  readonly absent?: readonly string[]
}
