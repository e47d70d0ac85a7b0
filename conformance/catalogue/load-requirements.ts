import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'
import { checkRow, checkSilence, type Surroundings } from './check-row.ts'
import type { CatalogueRow, Silence } from './requirement.ts'

export type { FieldRow, Requirement, TestMethod } from './requirement.ts'

interface InterfaceDocument {
  readonly sha256: string
  readonly lines: number
}

/** A file of the catalogue, with the common members of its rows at the top. */
interface RequirementFile {
  readonly rows: readonly Members[]
  readonly silences?: readonly Members[]
  readonly [member: string]: unknown
}

type Members = Readonly<Record<string, unknown>>

const SPEC = join(packageRoot(), 'conformance', 'catalogue')
const SHARED = ['component', 'since', 'until', 'strength', 'judged']

/** The document that the line numbers of the rows refer to. */
export function loadInterfaceDocument(): InterfaceDocument {
  return readYaml(join(SPEC, 'interface.yaml')) as InterfaceDocument
}

/**
 * Ambiguities of the catalogue itself. RANGE: "from 2.4 on" requires a member in 2.4, and leaves open whether an
 * earlier version may have it; likewise for members that a later version no longer shows.
 */
const OWN_AMBIGUITIES = ['RANGE'] as const

/** Keys of the tables of contradictions, ambiguities and gaps; undefined if that file is not available. */
export function loadAmbiguityKeys(
  file = join(packageRoot(), '..', 'shared', 'ambiguities.md'),
): ReadonlySet<string> | undefined {
  if (!existsSync(file)) return undefined
  const keys = readFileSync(file, 'utf8').matchAll(/^\| ([A-Z][A-Z0-9]*) \| L\d/gm)
  return new Set([...[...keys].map(([, key = '']) => key), ...OWN_AMBIGUITIES])
}

interface Catalogue {
  readonly rows: readonly CatalogueRow[]
  readonly silences: readonly Silence[]
}

/** The rows and silences of `catalogue/requirements/*.yaml`, sorted by id. @throws {Error} for an invalid one */
export function loadCatalogue(
  directory = join(SPEC, 'requirements'),
  ambiguities = loadAmbiguityKeys(),
): Catalogue {
  const surroundings = {
    lastLine: loadInterfaceDocument().lines,
    ...(ambiguities && { ambiguities }),
  }
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => loadFile(directory, name, surroundings))
  const rows = files.flatMap((file) => file.rows)
  const silences = files.flatMap((file) => file.silences)
  refuseDuplicates([...rows, ...silences])
  return { rows: rows.toSorted(byId), silences: silences.toSorted(byId) }
}

/** Every requirement of the catalogue, sorted by id. @throws {Error} for an invalid row */
export function loadRequirements(
  directory?: string,
  ambiguities?: ReadonlySet<string>,
): readonly CatalogueRow[] {
  return loadCatalogue(directory, ambiguities).rows
}

function byId({ id: one }: { readonly id: string }, { id: other }: { readonly id: string }) {
  return one < other ? -1 : 1
}

function loadFile(directory: string, name: string, surroundings: Surroundings): Catalogue {
  const { rows, silences = [], ...shared } = readFile(directory, name)
  const unknown = Object.keys(shared).find((member) => !SHARED.includes(member))
  if (unknown !== undefined) throw new Error(`${name}: a file has no member ${unknown}`)
  const { strength: _, judged: __, ...sharedBySilences } = shared
  return {
    rows: rows.map((own) => {
      const row = { judged: 'wire', ...shared, ...own }
      refuseFault(`${name}: the requirement`, own, checkRow(row, surroundings))
      return row as unknown as CatalogueRow
    }),
    silences: silences.map((own) => {
      const fault = checkSilence(own, sharedBySilences, surroundings)
      refuseFault(`${name}: the silence`, own, fault)
      return { ...sharedBySilences, ...own } as unknown as Silence
    }),
  }
}

function refuseFault(what: string, { id }: Members, fault: string | undefined): void {
  if (fault !== undefined) throw new Error(`${what} ${id ?? '(without id)'} is invalid: ${fault}`)
}

function readFile(directory: string, name: string): RequirementFile {
  try {
    return readYaml(join(directory, name)) as RequirementFile
  } catch (error) {
    throw new Error(`${name}, ${(error as Error).message}`)
  }
}

function refuseDuplicates(rows: readonly { readonly id: string }[]): void {
  const seen = new Set<string>()
  for (const { id } of rows) {
    if (seen.has(id)) throw new Error(`duplicate requirement ${id}`)
    seen.add(id)
  }
}
