import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../package-root.ts'
import { STRENGTHS, type Strength } from '../report/result.ts'

/** One testable statement of the interface document, in our own words. */
export interface Requirement {
  readonly id: string
  readonly component: string
  readonly since: string
  readonly until?: string
  /** Lines of the interface document that say it. */
  readonly lines: readonly number[]
  readonly says: string
  readonly strength: Strength
}

export interface InterfaceDocument {
  readonly sha256: string
  readonly lines: number
}

interface RequirementFile {
  readonly component: string
  readonly rows: readonly Partial<Requirement>[]
}

const SPEC = join(packageRoot(), 'conformance', 'spec')

/** Which text the line numbers of the rows belong to. */
export function loadInterfaceDocument(): InterfaceDocument {
  return parse(readFileSync(join(SPEC, 'interface.yaml'), 'utf8')) as InterfaceDocument
}

/** Every row of `spec/requirements/*.yaml`, sorted by id. A defect of a row is a fault of the suite. */
export function loadRequirements(directory = join(SPEC, 'requirements')): readonly Requirement[] {
  const { lines } = loadInterfaceDocument()
  const rows = readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => {
      const file = parse(readFileSync(join(directory, name), 'utf8')) as RequirementFile
      return file.rows.map((row) => checkRow(name, { component: file.component, ...row }, lines))
    })
  refuseDuplicates(rows)
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function checkRow(file: string, row: Partial<Requirement>, lastLine: number): Requirement {
  const { id, component, since, lines, says, strength } = row
  const cited = lines?.every((line) => Number.isInteger(line) && line >= 1 && line <= lastLine)
  const complete = [id, component, since, says].every(
    (text) => typeof text === 'string' && text !== '',
  )
  if (
    !complete ||
    cited !== true ||
    lines?.length === 0 ||
    !STRENGTHS.includes(strength ?? ('' as Strength))
  ) {
    throw new Error(
      `${file}: the requirement ${id ?? '(without id)'} lacks a member or cites a line that is not there`,
    )
  }
  return row as Requirement
}

function refuseDuplicates(rows: readonly Requirement[]): void {
  const seen = new Set<string>()
  for (const { id } of rows) {
    if (seen.has(id)) throw new Error(`the requirement ${id} stands twice`)
    seen.add(id)
  }
}
