import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'

/** File -> title, in which `*` stands for anything, -> how many tests of the file have such a title. */
export type Titles = Readonly<Record<string, Readonly<Record<string, number>>>>

/** What a test may need and not find -> the tests that are skipped then. */
export type SkipList = Readonly<Record<string, Titles>>

/** The tests of one file, as a run left them. */
export interface RunFile {
  /** from the repository root */
  readonly file: string
  readonly tests: readonly { readonly title: string; readonly skipped: boolean }[]
}

/** The committed list: which tests may be skipped, and for want of what. */
export function loadSkipList(root: string): SkipList {
  return (
    parse(readFileSync(join(root, 'conformance/selftest/rules/skipped-tests.yaml'), 'utf8')) ?? {}
  )
}

/**
 * What the tests never have: scenarios that wait for real time, or for the end of something that lives for minutes,
 * and scenarios that only observe, as the document is silent.
 */
const NEVER_MET: ReadonlySet<string> = new Set([
  'assay run --slow',
  'a target with short lifetimes',
  'a document that says more',
])

/** Needs of the list that this machine does not meet: a path from the root, a program, or one of two names. */
export function unmetNeeds(list: SkipList, root: string): readonly string[] {
  return Object.keys(list).filter((need) => !isMet(need, root))
}

function isMet(need: string, root: string): boolean {
  if (NEVER_MET.has(need)) return false
  if (need === 'root on Debian')
    return process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (need.includes('/')) return existsSync(join(root, need))
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return [...directories, ...postgresDirectories()].some((directory) =>
    existsSync(join(directory, need)),
  )
}

const POSTGRES = '/usr/lib/postgresql'

/** Debian keeps the programs of a PostgreSQL server apart from PATH, by version. */
function postgresDirectories(): readonly string[] {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  return versions.map((version) => join(POSTGRES, version, 'bin'))
}

/** A title as the list has it: without what it says of being skipped. */
function plain(title: string): string {
  return title.replaceAll(/ \(skipped: [^)]*\)/g, '')
}

/** A row of the list that is about one file. */
interface Row {
  readonly need: string
  readonly title: string
  readonly count: number
  readonly pattern: RegExp
}

function rowsOf(list: SkipList, file: string): readonly Row[] {
  return Object.entries(list).flatMap(([need, files]) =>
    Object.entries(files[file] ?? {}).map(([title, count]) => ({
      need,
      title,
      count,
      pattern: new RegExp(`^${title.split('*').map(literal).join('.*')}$`, 's'),
    })),
  )
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&')
}

/**
 * Compares what was skipped with the list; each answer is one sentence about one test, or one row.
 *
 * @param unmet the needs that are not met here; the tests of the others must have run
 */
export function compareSkipped(
  list: SkipList,
  unmet: readonly string[],
  run: readonly RunFile[],
): readonly string[] {
  return run.flatMap(({ file, tests }) => {
    const rows = rowsOf(list, file)
    const may = rows.filter(({ need }) => unmet.includes(need))
    const named = tests.map(({ title, skipped }) => ({ title: plain(title), skipped }))
    const told = named.flatMap((each) =>
      tell(
        each,
        may.some(({ pattern }) => pattern.test(each.title)),
      ),
    )
    const counted = rows.flatMap(({ title, count, pattern }) => {
      const found = named.filter((each) => pattern.test(each.title)).length
      return found === count
        ? []
        : [`"${title}" is the title of ${found} tests, the list has ${count}`]
    })
    return [...told, ...counted].map((sentence) => `${file}: ${sentence}`)
  })
}

function tell({ title, skipped }: RunFile['tests'][number], may: boolean): readonly string[] {
  if (skipped === may) return []
  return skipped
    ? [`"${title}" was skipped although nothing that it needs is missing`]
    : [`"${title}" ran although what it needs is missing`]
}
