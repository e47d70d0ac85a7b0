import { SetupFault } from '../../conformance/input/fault.ts'
import { LocalEvaluator } from '../fuzz/local/local-evaluator.ts'
import { type Answer, answerOfOutcome, compareAnswers } from './compare-answers.ts'
import type { EvidenceFile, Kind } from './evidence-files.ts'
import type { Absent, Reader } from './readers.ts'
import { Tally } from './tally.ts'

/** Files that are read at once: a slow reader of one kind does not stop those of another. */
const AT_ONCE = 8

function lineOf(kind: Kind | undefined, bytes: Uint8Array): string {
  return JSON.stringify({ kind, bytes: Buffer.from(bytes).toString('base64') })
}

interface Opened {
  readonly reader: Reader
  readonly evaluator: LocalEvaluator
}

function open(reader: Reader, deadlineMs: number): Opened {
  const { command, name, kinds } = reader
  // An empty file is answered, and rejected by most: it shows that the program is there.
  const baseline = lineOf(kinds[0], new Uint8Array())
  const called = { name: `reader ${name}`, option: 'its adapter' }
  return {
    reader,
    evaluator: new LocalEvaluator({ command, baseline, atOnce: 1, deadlineMs, called }),
  }
}

/** What a run found: the comparisons, and the readers that could not be started. */
export interface ReaderRun {
  readonly tally: Tally
  readonly absent: readonly Absent[]
}

interface RunSettings {
  /** Milliseconds for an answer; larger files have more. */
  readonly deadlineMs: number
  /** Called after each file. */
  readonly onFile?: () => void
  /** Ends the run: files that are not read yet are not read. */
  readonly signal?: AbortSignal
}

/**
 * Gives each file to the readers of its kind, and compares their answers with ours. A reader that crashes or does not answer in
 * time gives no answer to that file, and goes on with the next one. Rejects with a {@link SetupFault} if ours cannot be started.
 */
export async function runReaders(
  ours: Reader,
  others: readonly Reader[],
  files: Iterable<EvidenceFile>,
  { deadlineMs, onFile, signal }: RunSettings,
): Promise<ReaderRun> {
  const own = open(ours, deadlineMs)
  const opened = others.map((reader) => open(reader, deadlineMs))
  const tally = new Tally()
  const absent = new Map<string, string>()
  const ask = async ({ evaluator }: Opened, { kind, bytes }: EvidenceFile): Promise<Answer> =>
    answerOfOutcome(await evaluator.ask(lineOf(kind, bytes)))
  const askOther = async (other: Opened, file: EvidenceFile): Promise<Answer | undefined> => {
    try {
      return await ask(other, file)
    } catch (error) {
      if (!(error instanceof SetupFault)) throw error
      absent.set(other.reader.name, error.sentence)
      return undefined
    }
  }
  const read = async (file: EvidenceFile): Promise<void> => {
    const asked = opened.filter(
      ({ reader }) => reader.kinds.includes(file.kind) && !absent.has(reader.name),
    )
    const [mine, ...theirs] = await Promise.all([
      ask(own, file),
      ...asked.map((other) => askOther(other, file)),
    ])
    for (const [at, answer] of theirs.entries()) {
      const name = asked[at]?.reader.name ?? ''
      if (answer !== undefined) tally.add(file, name, compareAnswers(mine, answer))
    }
    onFile?.()
  }
  const waiting = files[Symbol.iterator]()
  const readMore = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && !signal?.aborted; next = waiting.next())
      await read(next.value)
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, readMore))
  } finally {
    await Promise.all([own, ...opened].map(({ evaluator }) => evaluator.close()))
  }
  return { tally, absent: [...absent].map(([name, why]) => ({ name, why })) }
}
