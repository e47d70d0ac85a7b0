import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '../../errors.ts'
import { busy, now } from './clocks.ts'
import { type CorpusEntry, corpusFile, coverOf, entryOf, inputOf, loadCorpus } from './corpus.ts'
import { type Lineage, rederive } from './derive.ts'
import { type Found, type FuzzReport, fuzz } from './fuzz.ts'
import { type FuzzCommand, parseFuzzCommand } from './options.ts'
import { presentObservation, presentReport } from './present.ts'
import type { Input, Target } from './target.ts'
import { targetByName } from './targets.ts'
import { watch } from './watch.ts'
import { countWork } from './work.ts'

const SEEDS = 2 ** 32

/** `assay fuzz TARGET …`; `argv[0]` is the verb. Returns the exit code: 0 no finding, 1 findings. */
export async function main(argv: readonly string[]): Promise<number> {
  const command = parseFuzzCommand(argv.slice(1), randomInt(SEEDS))
  if (!command) return 0
  const target = targetByName(command.target)
  const corpus = loadCorpus(command.target).map((entry) => inputOf(target, entry))
  if (command.input !== undefined) return look(target, readInput(target, command.input))
  if (command.run) {
    const initial = [...target.honest, ...corpus]
    return look(target, rederive({ target, seed: command.seed, initial }, command.run))
  }
  return await session(command, target, corpus)
}

async function session(
  command: FuzzCommand,
  target: Target,
  corpus: readonly Input[],
): Promise<number> {
  const { seed, runs, seconds, out } = command
  // A session that ends without a word could not be repeated.
  process.stderr.write(`fuzzing ${target.name} with seed ${seed}\n`)
  const limit = seconds === undefined ? {} : { seconds }
  const report = await fuzz(target, { seed, runs, ...limit, corpus, now, busy })
  const files = report.found.map((each, index) => writeFound(target, report, each, index, out))
  process.stdout.write(presentReport(report, corpus.length, files))
  if (command.keep) keep(target, report)
  return report.found.length > 0 ? 1 : 0
}

/** Judges one input alone and says what came of it. */
function look(target: Target, input: Input): number {
  const work = countWork()
  try {
    const seen = watch(target, input, { now, busy, work })
    process.stdout.write(presentObservation(seen))
    return seen.faults.length > 0 ? 1 : 0
  } finally {
    work.remove()
  }
}

/** A finding as it is written to a file. */
interface FoundFile extends Pick<CorpusEntry, 'without' | 'change'> {
  readonly target: string
  readonly seed: number
  readonly run: Lineage
  readonly kind: string
  readonly message: string
}

function writeFound(
  target: Target,
  { seed }: FuzzReport,
  { fault, lineage, input }: Found,
  index: number,
  out: string,
): string {
  const { without, change } = entryOf(target, input, { verdict: '', says: [] })
  const file = join(out, `${target.name}-${seed}-${index + 1}-${fault.kind}.json`)
  const written: FoundFile = { target: target.name, seed, run: lineage, ...fault, without, change }
  mkdirSync(out, { recursive: true })
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`)
  return file
}

function readInput(target: Target, file: string): Input {
  try {
    return inputOf(target, JSON.parse(readFileSync(file, 'utf8')) as FoundFile)
  } catch (cause) {
    throw new StartFault(
      `${file} holds no input of ${target.name}`,
      'give a file that a finding was written to',
      cause,
    )
  }
}

function keep(target: Target, { kept }: FuzzReport): void {
  const file = corpusFile(target.name)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(coverOf(target, kept), null, 2)}\n`)
}
