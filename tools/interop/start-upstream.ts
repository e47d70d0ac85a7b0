import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../conformance/attempt/poll.ts'
import { presentDuration } from '../../conformance/input/duration.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { type Probe, probe } from '../../conformance/target/deployment/probe.ts'
import type { RunDirectory } from '../../conformance/target/processes/run-directory.ts'
import {
  lastOutput,
  type RunningCommand,
  spawnRecorded,
} from '../../conformance/target/processes/spawn-recorded.ts'
import type { UpstreamPlaces } from './upstream-places.ts'

const READY_MS = 60_000
const ATTEMPT_MS = 30_000
const EVERY_MS = 250

/** Longer than the timeout of any request in a suite, because a request in flight is lost when a server is ended. */
const SILENT_MS = 60_000
const LOOK_MS = 1000

/** The running servers of the release. */
export interface Upstream {
  /** Restarts those of the servers that stop responding while `body` runs. Returns the names of restarted servers, too. */
  keep<T>(
    servers: readonly ServerName[],
    body: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly restarted: readonly string[] }>
  /** Process group of a server. */
  groupOf(name: ServerName): number
}

export type ServerName = 'keylime-pull' | 'keylime-registrar' | 'keylime-push'

/** One server of the release: its program, its additional environment variables and its port. */
interface ServerRow {
  readonly name: ServerName
  readonly program: string
  readonly port: number
  readonly environment: Readonly<Record<string, string>>
}

function serversOf({ ports, pushDirectory }: UpstreamPlaces): readonly ServerRow[] {
  return [
    { name: 'keylime-pull', program: 'keylime_verifier', port: ports.pull, environment: {} },
    {
      name: 'keylime-registrar',
      program: 'keylime_registrar',
      port: ports.registrar,
      environment: {},
    },
    {
      name: 'keylime-push',
      program: 'keylime_verifier',
      port: ports.push,
      environment: {
        KEYLIME_VERIFIER_MODE: 'push',
        KEYLIME_VERIFIER_PORT: String(ports.push),
        KEYLIME_DIR: pushDirectory,
      },
    },
  ]
}

function ask(port: number, { directory }: UpstreamPlaces): Promise<Probe> {
  const options = { ca: join(directory, 'cv_ca', 'cacert.crt'), timeoutMs: ATTEMPT_MS }
  return probe(`https://127.0.0.1:${port}/version`, options)
}

/** Whether a server sends a response. */
async function answers(port: number, places: UpstreamPlaces): Promise<boolean> {
  return (await ask(port, places)).kind === 'answered'
}

/** Completes "the server …". */
async function whyNotReady(port: number, places: UpstreamPlaces): Promise<string> {
  const asked = await ask(port, places)
  if (asked.kind === 'untrusted') return asked.why
  return `sent no response within ${presentDuration(READY_MS)}`
}

async function startServer(
  { name, program, port, environment }: ServerRow,
  places: UpstreamPlaces,
  run: RunDirectory,
): Promise<RunningCommand> {
  const command = {
    command: [join(places.python.directory, 'bin', program)],
    cwd: run.path,
    env: { ...places.environment, ...environment },
  }
  const task = { what: name, command, key: name, file: 'interop', log: name } as const
  const started = await spawnRecorded({ ...task, code: 'D-START-NOT-FOUND' }, run)
  const isOver = async () => started.exitReason() !== undefined || (await answers(port, places))
  const up = await until(isOver, { withinMs: READY_MS, everyMs: EVERY_MS })
  if (up && started.exitReason() === undefined) return started
  const exitReason = started.exitReason() ?? (await whyNotReady(port, places))
  throw new SetupFault(`${name} ${exitReason}: ${lastOutput(started)}`, {
    code: 'D-START-EXITED',
    next: `read ${started.logs.err}`,
  })
}

/** Starts the polling verifier, whose CA the other servers use, then the registrar, then the verifier for push agents. */
export async function startUpstream(places: UpstreamPlaces, run: RunDirectory): Promise<Upstream> {
  const running = new Map<ServerRow, RunningCommand>()
  for (const row of serversOf(places)) {
    if (row.name === 'keylime-push')
      cpSync(join(places.directory, 'cv_ca'), join(places.pushDirectory, 'cv_ca'), {
        recursive: true,
      })
    running.set(row, await startServer(row, places, run))
  }
  const groupOf = (wanted: string) =>
    [...running].find(([{ name }]) => name === wanted)?.[1].pid ?? Number.NaN
  const kept = { running, places, run, watches: new Map<ServerRow, Watch>() }
  return { keep: (servers, body) => keep(servers, body, kept), groupOf }
}

/** Watches a server; several bodies may run meanwhile. */
interface Watch {
  readonly bodies: Set<Set<string>>
  readonly over: AbortController
  readonly ended: Promise<void>
}

interface Kept {
  readonly running: Map<ServerRow, RunningCommand>
  readonly places: UpstreamPlaces
  readonly run: RunDirectory
  readonly watches: Map<ServerRow, Watch>
}

async function keep<T>(servers: readonly ServerName[], body: () => Promise<T>, kept: Kept) {
  const restarted = new Set<string>()
  const rows = [...kept.running.keys()].filter(({ name }) => servers.includes(name))
  for (const row of rows) {
    const watched = kept.watches.get(row) ?? startWatch(row, kept)
    watched.bodies.add(restarted)
  }
  try {
    return { value: await body(), restarted: [...restarted] }
  } finally {
    await Promise.all(rows.map((row) => endWatch(row, restarted, kept)))
  }
}

function startWatch(row: ServerRow, kept: Kept): Watch {
  const over = new AbortController()
  const bodies = new Set<Set<string>>()
  const onRestart = () => {
    for (const restarted of bodies) restarted.add(row.name)
  }
  const started = { bodies, over, ended: watch(row, kept, over.signal, onRestart) }
  kept.watches.set(row, started)
  return started
}

/** Ends the watch of a server with the last body. */
async function endWatch(row: ServerRow, restarted: Set<string>, { watches }: Kept): Promise<void> {
  const watched = watches.get(row)
  if (watched === undefined || !watched.bodies.delete(restarted) || watched.bodies.size > 0) return
  watches.delete(row)
  watched.over.abort()
  await watched.ended
}

async function watch(
  row: ServerRow,
  { running, places, run }: Kept,
  over: AbortSignal,
  onRestart: () => void,
) {
  const isOver = async () => over.aborted || (await answers(row.port, places))
  while (!over.aborted) {
    if (await until(isOver, { withinMs: SILENT_MS, everyMs: EVERY_MS })) await pause(LOOK_MS)
    else {
      onRestart()
      const silent = running.get(row)
      if (silent !== undefined) await run.end(silent.pid)
      running.set(row, await startServer(row, places, run))
    }
  }
}
