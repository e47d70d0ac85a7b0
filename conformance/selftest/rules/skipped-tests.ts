import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'

/** File -> title, in which `*` matches any text -> number of tests of the file with such a title. */
type Titles = Readonly<Record<string, Readonly<Record<string, number>>>>

/** A need -> the tests that are skipped if it is not met. */
type SkipList = Readonly<Record<string, Titles>>

/** The results of the tests of one file. */
export interface RunFile {
  /** From the repository root. */
  readonly file: string
  readonly tests: readonly { readonly title: string; readonly skipped: boolean }[]
}

/** The committed list: which tests may be skipped, and which need is not met then. */
export function loadSkipList(root: string): SkipList {
  return (
    parse(readFileSync(join(root, 'conformance/selftest/rules/skipped-tests.yaml'), 'utf8')) ?? {}
  )
}

/** A need that no test run meets: of scenarios that only observe, because the document is silent. */
const NEVER_MET = 'a document that is not silent'

/** The needs of the list that this machine does not meet: a path from the root, a program, or one of two names. */
export function unmetNeeds(list: SkipList, root: string): readonly string[] {
  return Object.keys(list).filter((need) => !isMet(need, root))
}

function isMet(need: string, root: string): boolean {
  if (need === NEVER_MET) return false
  if (need === 'root on Debian')
    return process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (need.includes('/')) return existsSync(join(root, need))
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return [...directories, ...postgresDirectories()].some((directory) =>
    existsSync(join(directory, need)),
  )
}

const POSTGRES = '/usr/lib/postgresql'

/** Debian installs the programs of a PostgreSQL server outside PATH, by version. */
function postgresDirectories(): readonly string[] {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  return versions.map((version) => join(POSTGRES, version, 'bin'))
}

/** A title as in the list: without its note about being skipped. */
function plain(title: string): string {
  return title.replaceAll(/ \(skipped: [^)]*\)/g, '')
}

/** The rows of the list for one file. */
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
 * Compares the skipped tests with the list; each returned sentence is about one test, or one row.
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
    const unexpected = named.flatMap((each) =>
      problemsOf(
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
    return [...unexpected, ...counted].map((sentence) => `${file}: ${sentence}`)
  })
}

function problemsOf({ title, skipped }: RunFile['tests'][number], may: boolean): readonly string[] {
  if (skipped === may) return []
  return skipped
    ? [`"${title}" was skipped although its needs are met`]
    : [`"${title}" ran although its need is not met`]
}
