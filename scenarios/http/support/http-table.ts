import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'
import type { Context } from '../../../conformance/scenario.ts'

/** Lines of a request that creates a resource, joined by CR LF. */
export interface FramingRow {
  readonly id: string
  readonly says: string
  readonly request: readonly string[]
  readonly ends: 'refused' | 'either' | 'coded'
}

/** A request line and a header for an existing resource. */
export interface MethodRow {
  readonly id: string
  readonly says: string
  readonly line: string
  readonly header?: string
}

/** A request target close to the path of a resource. */
export interface PathRow {
  readonly id: string
  readonly says: string
  readonly target: string
}

interface HttpTable {
  readonly framing: readonly FramingRow[]
  readonly methods: readonly MethodRow[]
  readonly paths: readonly PathRow[]
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'http.yaml')

/** Loads the requests that no HTTP library would send (`conformance/catalogue/matrices/http.yaml`). */
function loadHttpTable(): HttpTable {
  return readYaml(FILE) as HttpTable
}

/** Loaded once for all families. */
export const HTTP_TABLE: HttpTable = loadHttpTable()

/** Fills placeholders such as `{path}`. Throws if the table uses an unknown one. */
export function fill(
  text: string,
  values: Readonly<Record<string, string | (() => string)>>,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`no value for {${name}} in http.yaml`)
    return typeof value === 'string' ? value : value()
  })
}

export type HttpRole = 'registrar' | 'verifier'

/** The name of a cell of the matrix `http`. */
export function cellOf(role: HttpRole, group: string, id: string, version: string): string {
  return `${role} ${group} ${id} ${version}`
}

/** The cells of one group under a version. */
export function cellsOf(role: HttpRole, group: string, rows: readonly { readonly id: string }[]) {
  return (version: string) => rows.map(({ id }) => cellOf(role, group, id, version))
}

/** Returns a filter for the rows whose cells this run asks. */
export function isAsked(
  { asks, version }: Pick<Context, 'asks' | 'version'>,
  role: HttpRole,
  group: string,
) {
  return ({ id }: { readonly id: string }) => asks(cellOf(role, group, id, version))
}
