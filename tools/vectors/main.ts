import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { SetupFault } from '../../conformance/input/fault.ts'
import { makeDirectory } from '../../conformance/input/make-directory.ts'
import { ownCommand } from '../../conformance/input/own-command.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { counted, duration, thousands } from '../../conformance/report/visible.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { compareResults, presentComparison } from './compare-results.ts'
import { vectorGroups } from './corpus.ts'
import { presentVectorsJunit } from './present-junit.ts'
import { presentGroups, presentResults } from './present-vectors.ts'
import { composeResults, loadResults } from './results.ts'
import { runVectors } from './run-vectors.ts'
import type { VectorGroup } from './vector.ts'

const VERBS: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  run,
  write,
  compare,
}

/** `assay vectors`; `argv[0]` is the verb. */
export async function main([, verb = '', ...argv]: readonly string[]): Promise<number> {
  const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (known !== undefined) return known(argv)
  if (verb === '--help') {
    process.stdout.write(
      'usage: assay vectors run [--adapter CMD] | write DIR | compare FILE FILE\n',
    )
    return 0
  }
  throw new SetupFault(`assay vectors has no verb ${JSON.stringify(verb)}`, {
    next: 'assay vectors run, assay vectors write DIR, or assay vectors compare FILE FILE',
  })
}

interface RunOptions {
  readonly adapter?: string
  readonly group?: readonly string[]
  readonly list?: true
  readonly rounds: number
  readonly jobs?: number
  readonly junit?: string
  readonly json?: string
}

const HELP = `
An adapter reads one body of POST verify/evidence per line of its standard input, with the id of the vector, and prints
one line of JSON for each, in this order: {"valid": true}, {"valid": false}, {"error": "..."} for evidence that it
cannot read, or {"skip": "..."} for evidence that it does not support. An "id" in an answer is compared with its line;
"unread": ["tpm_policy"] in an answer names policies that it ignored, so that what they forbid is not judged.

Exit code 0: every vector that was judged is as expected. 1: one is not, or none was judged. 2: the adapter cannot be used.`

const upTo = (most: number) => (text: string) => {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  throw new InvalidArgumentError(`it takes a whole number from 1 to ${most}.`)
}

const withGroup = (command: Command): Command =>
  command.option(
    '--group <name>',
    'only this group; can be repeated',
    (value: string, before: readonly string[] = []) => [...before, value],
  )

async function run(argv: readonly string[]): Promise<number> {
  const command = parse(
    withGroup(new Command('assay vectors run'))
      .description('gives evidence with known verdicts to a library, and compares its verdicts')
      .option(
        '--adapter <command>',
        `a line for the shell (default: ${ownCommand()} verify-evidence --batch --no-limit)`,
      )
      .option('--list', 'prints the groups with their numbers of vectors, and runs nothing')
      .option(
        '--rounds <number>',
        'gives each vector so often; answers must not change',
        upTo(1000),
        1,
      )
      .option(
        '--jobs <number>',
        'processes of the adapter that share the vectors (default: one; of the reference one for each core, at most four)',
        upTo(64),
      )
      .option('--junit <file>', 'writes a JUnit file: a testsuite for each group')
      .option('--json <file>', 'writes each answer (reports/schema/vector-results.schema.json)')
      .addHelpText('after', HELP),
    argv,
  )
  if (command === undefined) return 0
  const options = command.opts<RunOptions>()
  const groups = chosen(options.group)
  if (options.list) {
    process.stdout.write(presentGroups(groups))
    return 0
  }
  return runGroups(groups, options)
}

const OURS = 'assay verify-evidence --batch --no-limit'

async function runGroups(
  groups: readonly VectorGroup[],
  { adapter, rounds, jobs, junit, json }: RunOptions,
): Promise<number> {
  const assay = join(packageRoot(), 'bin', 'assay.js')
  // With much room for short-lived objects they are collected less often.
  const node = [process.execPath, '--max-semi-space-size=32']
  const ours = [...node, assay, 'verify-evidence', '--batch', '--no-limit']
  const startedAt = new Date()
  let begun = 0
  let ended = 0
  const onAnswer = () => {
    ended = performance.now()
    if (begun === 0) begun = ended
  }
  const results = await runVectors(adapter ?? ours, groups, {
    ...{ rounds, onAnswer },
    jobs: jobs ?? (adapter === undefined ? Math.min(4, availableParallelism()) : 1),
  })
  const pace = presentPace(results.length * rounds, ended - begun)
  process.stdout.write(`${presentResults(results, groups)}${pace}\n`)
  const composed = composeResults(adapter ?? OURS, groups, results)
  if (json !== undefined) await writeAtomically(json, `${JSON.stringify(composed, null, 1)}\n`)
  if (junit !== undefined)
    await writeAtomically(junit, presentVectorsJunit(composed, groups, startedAt.toISOString()))
  const outcomes = results.map(({ outcome }) => outcome)
  return outcomes.includes('agrees') && !outcomes.includes('differs') ? 0 : 1
}

/** Milliseconds below which a pace says nothing. */
const SHORT = 100

/** `1,112 vectors in 1.2 s after the first answer: 926 a second` */
function presentPace(all: number, ms: number): string {
  const took = `${counted(all, 'vector')} in ${duration(ms)} after the first answer`
  return ms < SHORT ? took : `${took}: ${thousands(Math.round((all / ms) * 1000))} a second`
}

function chosen(names: readonly string[] | undefined): readonly VectorGroup[] {
  const all = vectorGroups()
  if (names === undefined) return all
  const known = all.map(({ group }) => group)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new SetupFault(
      `there is no group ${JSON.stringify(unknown)}; groups are ${known.join(', ')}`,
      { next: 'assay vectors run --list' },
    )
  return all.filter(({ group }) => names.includes(group))
}

async function write(argv: readonly string[]): Promise<number> {
  const command = parse(
    withGroup(new Command('assay vectors write'))
      .description('writes a file for each group (reports/schema/vectors.schema.json)')
      .argument('<directory>', 'created if it is missing'),
    argv,
  )
  if (command === undefined) return 0
  const [directory = ''] = command.args
  const { group: names } = command.opts<Pick<RunOptions, 'group'>>()
  // Making the vectors takes seconds: what is wrong with the directory is said before.
  if (names === undefined) makeDirectory(directory)
  const groups = chosen(names)
  makeDirectory(directory)
  for (const group of groups)
    await writeFile(join(directory, `${group.group}.json`), `${JSON.stringify(group, null, 1)}\n`)
  const vectors = groups.reduce((sum, { vector_count }) => sum + vector_count, 0)
  process.stdout.write(
    `${directory}: ${counted(vectors, 'vector')} in ${counted(groups.length, 'file')}\n`,
  )
  return 0
}

async function compare(argv: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay vectors compare')
      .description('prints where two adapters disagree, with the bytes that the vector changes')
      .argument('<one>', 'a file of assay vectors run --json')
      .argument('<other>', 'another one')
      .addHelpText('after', '\nExit code 0: both answer alike. 1: they do not.'),
    argv,
  )
  if (command === undefined) return 0
  const [one = '', other = ''] = command.args
  const pair = [await loadResults(one), await loadResults(other)] as const
  const groups = vectorGroups()
  const compared = compareResults(...pair, groups)
  process.stdout.write(presentComparison(pair, compared, groups))
  return compared.every(({ differ }) => differ.length === 0) ? 0 : 1
}
