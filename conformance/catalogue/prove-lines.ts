import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'
import { loadInterfaceDocument } from './load-requirements.ts'
import type { CatalogueRow } from './requirement.ts'

/** Classes of lines without a statement. */
export const LINE_CLASSES = [
  'blank',
  'heading',
  'table-rule',
  'table-header',
  'introduction',
] as const
export type LineClass = (typeof LINE_CLASSES)[number]

export type LineClasses = Readonly<Record<LineClass, readonly number[]>>

export interface LineStanding {
  readonly line: number
  /** `cited` takes precedence over the class. */
  readonly standing: 'cited' | LineClass | 'uncited'
  readonly rows: readonly string[]
}

export interface LineProof {
  readonly table: readonly LineStanding[]
  readonly uncited: readonly number[]
  /** One sentence for each line whose text contradicts its listed class; empty without the text. */
  readonly contradicted: readonly string[]
}

/** The lines without a statement, from `lines.yaml`. */
export function loadLineClasses(
  file = join(packageRoot(), 'conformance', 'catalogue', 'lines.yaml'),
): LineClasses {
  return readYaml(file) as LineClasses
}

/** The lines of the interface document; undefined if it is not available. */
export function loadInterfaceLines(
  file = join(packageRoot(), '..', 'shared', 'interface.md'),
): readonly string[] | undefined {
  if (!existsSync(file)) return undefined
  return readFileSync(file, 'utf8').split('\n').slice(0, loadInterfaceDocument().lines)
}

/**
 * Classifies each line of the document: cited by rows, or listed as having no statement. If the text is available,
 * the listed blank lines, headings, table rules and table headers are compared with it.
 */
export function proveLines(
  rows: readonly Pick<CatalogueRow, 'id' | 'lines'>[],
  classes: LineClasses,
  lastLine: number,
  text?: readonly string[],
): LineProof {
  const citing = rowsByLine(rows)
  const listed = new Map(
    LINE_CLASSES.flatMap((name) => (classes[name] ?? []).map((line) => [line, name] as const)),
  )
  const table = Array.from({ length: lastLine }, (_, at): LineStanding => {
    const line = at + 1
    const ids = citing.get(line) ?? []
    return { line, standing: ids.length > 0 ? 'cited' : (listed.get(line) ?? 'uncited'), rows: ids }
  })
  return {
    table,
    uncited: table.filter(({ standing }) => standing === 'uncited').map(({ line }) => line),
    contradicted: text === undefined ? [] : contradictions(listed, text),
  }
}

/** The number of lines for each standing, most first. */
export function tallyLines({ table }: LineProof): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { standing } of table) counts.set(standing, (counts.get(standing) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

/** The class of a line by its text; undefined for sentences, list items and table rows. */
export function classOfText(text: readonly string[], at: number): LineClass | undefined {
  const isRule = (line = '') => /^\|(-+\|)+$/.test(line)
  const line = text[at] ?? ''
  if (line.trim() === '') return 'blank'
  if (line.startsWith('#')) return 'heading'
  if (isRule(line)) return 'table-rule'
  return line.startsWith('|') && isRule(text[at + 1]) ? 'table-header' : undefined
}

function contradictions(
  listed: ReadonlyMap<number, LineClass>,
  text: readonly string[],
): readonly string[] {
  return text.flatMap((_, at) => {
    const shown = classOfText(text, at)
    const entry = listed.get(at + 1)
    const wrong = shown === undefined ? isShown(entry) : entry !== shown
    if (!wrong) return []
    return [
      `line ${at + 1} is listed as ${entry ?? 'nothing'} and looks like ${shown ?? 'a sentence'}`,
    ]
  })
}

function isShown(entry: LineClass | undefined): boolean {
  return entry !== undefined && entry !== 'introduction'
}

function rowsByLine(
  rows: readonly Pick<CatalogueRow, 'id' | 'lines'>[],
): ReadonlyMap<number, readonly string[]> {
  const citing = new Map<number, string[]>()
  for (const { id, lines } of rows) {
    for (const line of lines) citing.set(line, [...(citing.get(line) ?? []), id])
  }
  return citing
}
