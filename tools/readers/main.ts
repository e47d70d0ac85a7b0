/**
 * `npm run readers`: compares our readers of firmware logs, measurement lists and TPMS_ATTEST with those of other projects, over
 * files and mutated files.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { freshSeed } from '../../conformance/attempt/random.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { makeDirectory } from '../../conformance/input/make-directory.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { parse, readSeed } from '../../conformance/options/cli-options.ts'
import { type Console, openConsole } from '../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../conformance/report/console/present-times.ts'
import { closeOnSignal } from '../../conformance/target/processes/close-on-signal.ts'
import { presentRows } from '../vectors/present-vectors.ts'
import { RESULTS } from './compare-answers.ts'
import { collectFiles, type EvidenceFile, KINDS } from './evidence-files.ts'
import { mutatedFiles } from './mutate-file.ts'
import { OURS, prepareReaders } from './readers.ts'
import { runReaders } from './run-readers.ts'
import { cellsOf } from './tally.ts'

interface ReadersOptions {
  readonly data: string
  readonly mutations: number
  readonly seed: string
  readonly only?: string
  readonly deadline: number
  readonly out: string
}

function readNumber(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('it takes a whole number.')
}

function parseOptions(argv: readonly string[]): ReadersOptions | undefined {
  const out = join('reports', 'out', 'readers.json')
  const command = new Command('readers')
    .description(
      'compares our readers of firmware logs, measurement lists and quotes with those of other projects on this machine',
    )
    .option('--data <directory>', 'files to read, with those of fixtures/', '../shared/data')
    .option('--mutations <n>', 'mutated files to read', readNumber, 10_000)
    .option('--seed <text>', 'repeats the mutations', readSeed, freshSeed())
    .option('--only <name>', 'compare with this reader only')
    .option('--deadline <ms>', 'time for an answer; larger files have more', readNumber, 5000)
    .option('--out <file>', 'file for the disagreements, each with an example', out)
  return parse(command, argv)?.opts<ReadersOptions>()
}

function* inTurn(
  files: readonly EvidenceFile[],
  mutated: Iterable<EvidenceFile>,
): Generator<EvidenceFile> {
  yield* files
  yield* mutated
}

async function compare(options: ReadersOptions, console: Console): Promise<number> {
  const { data, mutations, seed, only, deadline: deadlineMs, out } = options
  const { readers, absent } = await prepareReaders(console)
  const chosen = readers.filter(({ name }) => only === undefined || name === only)
  if (chosen.length === 0) {
    const next = `use one of ${readers.map(({ name }) => name).join(', ')}`
    throw new SetupFault(`there is no reader ${only}`, { next })
  }
  const files = collectFiles([join(packageRoot(), 'fixtures'), resolve(data)])
  const counts = KINDS.map((kind) => `${files.filter((one) => one.kind === kind).length} ${kind}`)
  console.say(`seed ${seed}; ${counts.join(', ')}; ${mutations} mutated`)
  const [ended, all] = [new AbortController(), files.length + mutations]
  let done = 0
  console.does((ms) => `  ${done} of ${all} files, ${wholeSeconds(ms)}`)
  const inputs = inTurn(files, mutatedFiles(files, seed, mutations))
  const onFile = () => {
    done += 1
  }
  const settings = { deadlineMs, onFile, signal: ended.signal }
  const running = runReaders(OURS, chosen, inputs, settings)
  const undo = closeOnSignal(async () => {
    ended.abort()
    await Promise.allSettled([running])
  })
  const { tally, absent: gone } = await running
  undo()
  const missing = [...absent, ...gone]
  console.say(presentRows(['kind', 'reader', 'field', ...RESULTS], cellsOf(tally.rows())))
  for (const { name, why } of missing) console.say(`absent: ${name}: ${why}`)
  const groups = tally.groups()
  makeDirectory(dirname(out))
  writeFileSync(out, `${JSON.stringify({ seed, mutations, absent: missing, groups }, null, 1)}\n`)
  console.say(`${groups.length} kinds of disagreement: ${out}`)
  return tally.unanswered('ours') > 0 ? 1 : 0
}

/** Returns 0 if ours answered to every file, else 1. */
async function main(argv: readonly string[]): Promise<number> {
  const options = parseOptions(argv)
  if (options === undefined) return 0
  const console = openConsole({ stream: process.stdout })
  try {
    return await compare(options, console)
  } finally {
    console.close()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SetupFault)) throw error
  process.stderr.write(`assay: ${error.sentence}\n${error.next ? `next: ${error.next}\n` : ''}`)
  process.exitCode = 2
}
