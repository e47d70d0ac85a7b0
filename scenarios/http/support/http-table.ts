import { join } from 'node:path'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'

/** A request that makes something, as lines; they are joined by CR LF. */
export interface FramingRow {
  readonly id: string
  readonly says: string
  readonly request: readonly string[]
  readonly ends: 'refused' | 'either'
}

/** A request line, and a header beside it, aimed at a thing that is there. */
export interface MethodRow {
  readonly id: string
  readonly says: string
  readonly line: string
  readonly header?: string
}

/** A target that is nearly the path of a thing. */
export interface PathRow {
  readonly id: string
  readonly says: string
  readonly target: string
}

export interface HttpTable {
  readonly framing: readonly FramingRow[]
  readonly methods: readonly MethodRow[]
  readonly paths: readonly PathRow[]
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'http.yaml')

/** What no HTTP library would send (`spec/matrices/http.yaml`). */
export function loadHttpTable(): HttpTable {
  return readYaml(FILE) as HttpTable
}

/** Read once for all families. */
export const HTTP_TABLE: HttpTable = loadHttpTable()

/** Fills the places of a text: `{path}` and the like. One that nothing is known of is a fault of the table. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the table of HTTP has no value for {${name}}`)
    return value
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
