import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'

/** File -> titles of the tests in it. */
export type Titles = Readonly<Record<string, readonly string[]>>

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
  return parse(readFileSync(join(root, 'conformance/selftest/skipped-tests.yaml'), 'utf8')) ?? {}
}

/** Needs of the list that this machine does not meet: a path from the root, a program, or `root on Debian`. */
export function unmetNeeds(list: SkipList, root: string): readonly string[] {
  return Object.keys(list).filter((need) => !isMet(need, root))
}

function isMet(need: string, root: string): boolean {
  if (need === 'root on Debian')
    return process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (need.includes('/')) return existsSync(join(root, need))
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories.some((directory) => existsSync(join(directory, need)))
}

/** A title as the list has it: without what it says of being skipped. */
function plain(title: string): string {
  return title.replaceAll(/ \(skipped: [^)]*\)/g, '')
}

/**
 * Compares what was skipped with the list; each answer is one sentence about one test.
 *
 * @param unmet the needs that are not met here; the tests of the others must have run
 */
export function compareSkipped(
  list: SkipList,
  unmet: readonly string[],
  run: readonly RunFile[],
): readonly string[] {
  return run.flatMap(({ file, tests }) => {
    const titlesFor = (needs: readonly string[]) =>
      new Set(needs.flatMap((need) => list[need]?.[file] ?? []))
    const [may, listed] = [titlesFor(unmet), titlesFor(Object.keys(list))]
    const all = new Set(tests.map(({ title }) => plain(title)))
    const skipped = new Set(tests.filter((test) => test.skipped).map(({ title }) => plain(title)))
    const say = (titles: Iterable<string>, what: string) =>
      [...titles].map((title) => `${file}: ${JSON.stringify(title)} ${what}`)
    return [
      ...say(minus(skipped, may), 'was skipped although nothing that it needs is missing'),
      ...say(minus(may, skipped, all), 'ran although what it needs is missing'),
      ...say(minus(listed, all), 'is in the list and is no test'),
    ]
  })
}

/** What is in the first set and not in the second, of those in the third. */
function minus(
  from: ReadonlySet<string>,
  without: ReadonlySet<string>,
  among: ReadonlySet<string> = from,
): readonly string[] {
  return [...from].filter((each) => !without.has(each) && among.has(each))
}
