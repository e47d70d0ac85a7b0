import { rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { makeDirectory } from '../../conformance/input/make-directory.ts'
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

/** The files and processes of a playground. */
export interface PlaygroundPlace {
  readonly run: RunDirectory
  readonly journal: Journal
  /** Whether the playground is kept. */
  readonly isKept: boolean
  /** Ends every process. */
  end(): Promise<void>
  /** Removes every file unless the playground is kept. Call it after the last pending start. */
  remove(): void
}

type PlaceOptions = Pick<UpOptions, 'keep' | 'target' | AgentKind>

/**
 * Creates the directory of a playground, or opens a kept one, and ends processes that a killed playground of the same user
 * has left. Throws a {@link SetupFault}, without changes, if the kept playground cannot be continued.
 */
export function openPlace(
  options: PlaceOptions,
  say: (line: string) => void,
): Promise<PlaygroundPlace> {
  return options.keep === undefined
    ? openTemporary(options, say)
    : openKept(resolve(options.keep), options, say)
}

/** The lock is taken before the directory is read, so its content does not change. */
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
  makeDirectory(directory, 0o700)
  // The journal is written first, so that a directory is recognized even if the start fails.
  const journal = openJournal(kept ?? newPlayground(target), directory)
  return { run: takeRunDirectory(directory), journal }
}

/** Throws if the options name another target file or another number of machines than the kept playground has. */
function checkSameOptions(
  directory: string,
  { target, machines }: KeptPlayground,
  options: PlaceOptions,
): void {
  if (machines.length === 0) return
  if (options.target !== target)
    throw new SetupFault(
      `the playground in ${directory} was created with ${target}, not with ${options.target}`,
      { next: `pass --target ${target}, or another directory` },
    )
  for (const kind of AGENT_KINDS) {
    const many = machines.filter((machine) => machine.kind === kind).length
    const wanted = options[kind]
    if (wanted === undefined || wanted === many) continue
    throw new SetupFault(
      `the playground in ${directory} has ${many} ${many === 1 ? 'machine' : 'machines'} with a ${kind} agent, but --${kind} is ${wanted}`,
      { next: `omit --${kind} and use the command add ${kind}, or pass another directory` },
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
      // A pending start may write its record after this call; that process ends with this one.
      process.once('exit', () => removeRun(run.path))
    },
  }
}

/** A fixed path for each user, so that the next playground can clean up after a killed one. */
function ownTemporaryDirectory(): string {
  const { uid } = userInfo()
  const directory = join(tmpdir(), `assay-up-${uid}`)
  makeDirectory(directory, 0o700)
  if (statSync(directory).uid === uid) return directory
  throw new SetupFault(`${directory} belongs to another user`, {
    next: 'pass your own directory with --keep',
  })
}

/** Removes the directory of a run, and its parent directories if they are empty. */
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
