import { mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import {
  createRunDirectory,
  type RunDirectory,
  takeRunDirectory,
} from '../../conformance/target/processes/run-directory.ts'
import { sweepRunIn, sweepStaleRuns } from '../../conformance/target/processes/sweep-stale-runs.ts'
import { AGENT_KINDS, type AgentKind } from './agent-kinds.ts'
import { holdDirectory } from './hold-directory.ts'
import { type Journal, openJournal } from './journal.ts'
import { type KeptPlayground, loadKept, newPlayground } from './kept-playground.ts'

import type { UpOptions } from './up-options.ts'

/** Where a playground has its files, and what follows its processes. */
export interface PlaygroundPlace {
  readonly run: RunDirectory
  readonly journal: Journal
  /** Whether everything stays, to be gone on with. */
  readonly isKept: boolean
  /** Ends every process. */
  end(): Promise<void>
  /** Removes every file, unless they are to be kept. Call it once nothing is being started any more. */
  remove(): void
}

type PlaceOptions = Pick<UpOptions, 'keep' | 'target' | AgentKind>

/**
 * Makes the place, or takes it over from a playground that was kept, after it has ended what a killed one of the same user
 * may have left. Throws a {@link SetupFault} for a directory that cannot be gone on with, and leaves it as it is.
 */
export function openPlace(
  options: PlaceOptions,
  say: (line: string) => void,
): Promise<PlaygroundPlace> {
  return options.keep === undefined
    ? openTemporary(options, say)
    : openKept(resolve(options.keep), options, say)
}

/** What is read of the directory stays true until it is let go. */
async function openKept(
  directory: string,
  options: PlaceOptions,
  say: (line: string) => void,
): Promise<PlaygroundPlace> {
  const release = await holdDirectory(directory)
  try {
    const { run, journal } = await takeOver(directory, options, say)
    const end = () => run.close().finally(release)
    return { run, journal, isKept: true, end, remove: () => undefined }
  } catch (error) {
    await release()
    throw error
  }
}

async function takeOver(
  directory: string,
  options: PlaceOptions,
  say: (line: string) => void,
): Promise<Pick<PlaygroundPlace, 'run' | 'journal'>> {
  const target = resolve(options.target)
  const kept = loadKept(directory)
  if (kept !== undefined) checkSameOptions(directory, kept, { ...options, target })
  const line = await sweepRunIn(directory)
  if (line !== undefined) say(line)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // First of all, so that a directory in which nothing else came to be is known for what it is.
  const journal = openJournal(kept ?? newPlayground(target), directory)
  return { run: takeRunDirectory(directory), journal }
}

/** Whoever asks for other machines, or for other servers, means another playground. */
function checkSameOptions(
  directory: string,
  { target, machines }: KeptPlayground,
  options: PlaceOptions,
): void {
  if (machines.length === 0) return
  if (options.target !== target)
    throw new SetupFault(
      `the playground in ${directory} was made from ${target}, and not from ${options.target}`,
      { next: `give --target ${target}, or name another directory` },
    )
  for (const kind of AGENT_KINDS) {
    const many = machines.filter((machine) => machine.kind === kind).length
    const asked = options[kind]
    if (asked === undefined || asked === many) continue
    throw new SetupFault(
      `the playground in ${directory} has ${many} with a ${kind} agent, and --${kind} asks for ${asked}`,
      { next: `leave --${kind} out, and type add ${kind} for one more; or name another directory` },
    )
  }
}

async function openTemporary(
  { target }: PlaceOptions,
  say: (line: string) => void,
): Promise<PlaygroundPlace> {
  const out = ownTemporaryDirectory()
  for (const line of await sweepStaleRuns(out)) say(line)
  const run = createRunDirectory(out)
  return {
    run,
    journal: openJournal(newPlayground(target), undefined),
    isKept: false,
    end: () => run.close(),
    remove() {
      removeRun(run.path)
      // What was being started when the end came is recorded late, and ends with this process: its record goes too.
      process.once('exit', () => removeRun(run.path))
    },
  }
}

/** Always the same one, so that the next playground finds what the last one could not end. */
function ownTemporaryDirectory(): string {
  const { uid } = userInfo()
  const directory = join(tmpdir(), `assay-up-${uid}`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (statSync(directory).uid === uid) return directory
  throw new SetupFault(`${directory} belongs to somebody else`, {
    next: 'name a directory of your own with --keep',
  })
}

/** Removes a run, and the directories above it that hold no other. */
function removeRun(run: string): void {
  rmSync(run, { recursive: true, force: true })
  for (const directory of [dirname(run), dirname(dirname(run))]) {
    try {
      rmdirSync(directory)
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'ENOENT') throw error
    }
  }
}
