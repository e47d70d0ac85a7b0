import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'
import { checkRow, type Surroundings } from './check-row.ts'
import { type CatalogueRow, TEST_METHODS } from './requirement.ts'

export type { FieldRow, Requirement, TestMethod } from './requirement.ts'

interface InterfaceDocument {
  readonly sha256: string
  readonly lines: number
}

/** One reason for every row of a file, or one for each test method. */
type Reasons = string | Readonly<Record<string, string>>

/** A file of the catalogue, with the common members of its rows at the top. */
interface RequirementFile {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly excluded?: Reasons
  readonly [member: string]: unknown
}

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

/** Every row of `catalogue/requirements/*.yaml`, sorted by id. @throws {Error} for an invalid row */
export function loadRequirements(
  directory = join(SPEC, 'requirements'),
  ambiguities = loadAmbiguityKeys(),
): readonly CatalogueRow[] {
  const surroundings = {
    lastLine: loadInterfaceDocument().lines,
    ...(ambiguities && { ambiguities }),
  }
  const rows = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => loadFile(directory, name, surroundings))
  refuseDuplicates(rows)
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function loadFile(
  directory: string,
  name: string,
  surroundings: Surroundings,
): readonly CatalogueRow[] {
  const file = readFile(directory, name)
  const { rows, excluded, ...shared } = file
  const unknown = Object.keys(shared).find((member) => !SHARED.includes(member))
  if (unknown !== undefined) throw new Error(`${name}: a file has no member ${unknown}`)
  refuseUnknownReasons(name, excluded)
  return rows.map((own) => {
    const row = { judged: 'wire', ...shared, ...own }
    const reason = reasonFor(row, excluded)
    const whole = reason === undefined ? row : { ...row, excludedByFile: reason }
    const fault =
      own['excludedByFile'] === undefined
        ? checkRow(whole, surroundings)
        : 'it has no member excludedByFile'
    if (fault === undefined) return whole as unknown as CatalogueRow
    throw new Error(`${name}: the requirement ${own['id'] ?? '(without id)'} is invalid: ${fault}`)
  })
}

function readFile(directory: string, name: string): RequirementFile {
  try {
    return readYaml(join(directory, name)) as RequirementFile
  } catch (error) {
    throw new Error(`${name}, ${(error as Error).message}`)
  }
}

function reasonFor(
  { judged }: Readonly<Record<string, unknown>>,
  reasons: Reasons | undefined,
): string | undefined {
  if (typeof reasons !== 'object') return reasons
  return reasons[String(judged)]
}

function refuseUnknownReasons(name: string, reasons: Reasons | undefined): void {
  if (typeof reasons !== 'object') return
  const known: readonly string[] = TEST_METHODS
  const unknown = Object.keys(reasons).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new Error(`${name}: there is no test method ${unknown}`)
}

function refuseDuplicates(rows: readonly CatalogueRow[]): void {
  const seen = new Set<string>()
  for (const { id } of rows) {
    if (seen.has(id)) throw new Error(`duplicate requirement ${id}`)
    seen.add(id)
  }
}
