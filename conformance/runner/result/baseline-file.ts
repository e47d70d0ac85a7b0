import { existsSync, readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { codeOf, reasonOfSystem, SetupFault } from '../../input/fault.ts'
import type { Baseline, ExpectedFailure } from '../../report/result.ts'
import { writeAtomically } from '../../report/write-atomically.ts'

const MEMBERS = ['scenario', 'version', 'requirement', 'what', 'cell', 'step', 'outcome'] as const

const HEAD = `# Expected failures, as assay run --update-baseline writes them. See docs/ci.md.
`

/** Reads a baseline file: a list of failures, in YAML or JSON. A file that is to be written need not exist. */
export function loadBaseline(file: string, isUpdated: boolean): Baseline {
  if (isUpdated && !existsSync(file)) return { file, entries: [] }
  const rows = readRows(file)
  if (!Array.isArray(rows)) throw fault(file, 'the file is not a list of expected failures')
  return { file, entries: rows.map((row: unknown, at) => checkRow(file, at + 1, row)) }
}

function readRows(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8')) ?? []
  } catch (cause) {
    const why = codeOf(cause).startsWith('E') ? reasonOfSystem(cause) : 'it is not YAML'
    throw new SetupFault(`the baseline ${file} cannot be read: ${why}`, {
      next:
        codeOf(cause) === 'ENOENT'
          ? 'add --update-baseline to write it from this run'
          : 'name another file with --baseline',
      cause,
    })
  }
}

function checkRow(file: string, number: number, row: unknown): ExpectedFailure {
  const where = `entry ${number}`
  if (typeof row !== 'object' || row === null) throw fault(file, `${where} is not an object`)
  for (const [name, value] of Object.entries(row)) {
    if (!MEMBERS.some((one) => one === name))
      throw fault(file, `${where} has the unknown member ${name}`)
    if (typeof value !== 'string') throw fault(file, `${where}: ${name} is not a text`)
  }
  const members = row as Readonly<Record<string, string>>
  for (const name of ['scenario', 'version'])
    if (members[name] === undefined) throw fault(file, `${where} has no ${name}`)
  const { what, step, outcome } = members
  if ([what, step, outcome].filter((word) => word !== undefined).length !== 1)
    throw fault(file, `${where} has not exactly one of what, step and outcome`)
  if (outcome !== undefined && outcome !== 'fail' && outcome !== 'hang')
    throw fault(file, `${where}: outcome is neither fail nor hang`)
  return row as ExpectedFailure
}

function fault(file: string, problem: string): SetupFault {
  return new SetupFault(`the baseline ${file} is wrong: ${problem}`, {
    next: 'correct it, or write it again with --update-baseline',
  })
}

/** The text of a baseline file, one line for each entry; JSON if the name says so. */
export function presentBaseline({ file, entries }: Baseline): string {
  if (file.endsWith('.json')) return `${JSON.stringify(entries, null, 2)}\n`
  if (entries.length === 0) return `${HEAD}[]\n`
  const lines = entries.map(
    (entry) => `- ${stringify(entry, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`,
  )
  return `${HEAD}${lines.join('\n')}\n`
}

export async function writeBaseline(baseline: Baseline): Promise<void> {
  await writeAtomically(baseline.file, presentBaseline(baseline))
}
