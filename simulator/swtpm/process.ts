import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SwtpmError } from './errors.ts'
import { cyclePower, stateIsRead } from './power.ts'

/** Longest Unix socket path on Linux: 108 bytes with the terminating zero. */
const UNIX_PATH_MAX = 107
/** The files in which swtpm keeps a TPM 2.0: persistent state, and a snapshot of its memory. */
const STATE_FILES = { permanent: 'tpm2-00.permall', volatile: 'tpm2-00.volatilestate' } as const

/** The stored state of a TPM at one moment. */
export type TpmState = Readonly<Record<keyof typeof STATE_FILES, Uint8Array>>

const POLL_MS = 2
const START_DEADLINE_MS = 5_000
const TERM_DEADLINE_MS = 2_000

export interface SwtpmOptions {
  /** A directory with a short path that does not exist yet; created here and removed by `stop`. */
  readonly directory: string
  /** Directory of its state; created if missing, and kept when the TPM stops. Default: in `directory`. */
  readonly state?: string | undefined
  /** State of another TPM, from which this one continues. */
  readonly copied?: TpmState | undefined
  /** The swtpm program; by default looked up in PATH. */
  readonly binary?: string | undefined
  /** Added to the environment of swtpm, as a mark by which the process can be found. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  readonly onProcess?: ((pid: number, what: string) => void) | undefined
}

/** A running swtpm with its only data connection. */
export interface SwtpmProcess {
  readonly pid: number
  /** The one data connection; swtpm ends when it closes. */
  readonly data: Socket
  readonly controlPath: string
  /**
   * Explains a connection that was closed before its first use: swtpm accepts the connection before it reads its
   * state. Returns `error` itself if there is another reason.
   */
  explain(error: unknown): Promise<unknown>
  /** Replaces its state by a copy of another TPM's. Rejects with SwtpmError. */
  become(copied: TpmState): Promise<void>
  /** Closes the connection, ends the process (SIGTERM, then SIGKILL) and removes its directory. */
  stop(): Promise<void>
}

function checkPath(path: string): void {
  const length = Buffer.byteLength(path)
  if (length <= UNIX_PATH_MAX) return
  const message = `the socket path ${path} has ${length} bytes, and a Unix socket allows ${UNIX_PATH_MAX}; give a shorter directory`
  throw new SwtpmError('path-too-long', message)
}

async function makeDirectories(
  directory: string,
  state: string,
  copied: TpmState | undefined,
): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
    await mkdir(state, { mode: 0o700, recursive: true })
    if (copied !== undefined) await writeState(state, copied)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SwtpmError('directory', `cannot create a new directory for a TPM: ${why}`, { cause })
  }
}

async function writeState(directory: string, { permanent, volatile }: TpmState): Promise<void> {
  await writeFile(join(directory, STATE_FILES.permanent), permanent, { mode: 0o600 })
  await writeFile(join(directory, STATE_FILES.volatile), volatile, { mode: 0o600 })
}

/** Returns the state that swtpm has stored, with an earlier snapshot of its memory. */
export async function readState(directory: string): Promise<TpmState> {
  return {
    permanent: await readFile(join(directory, STATE_FILES.permanent)),
    volatile: await readFile(join(directory, STATE_FILES.volatile)),
  }
}

function swtpmArguments(state: string, dataPath: string, controlPath: string): string[] {
  return [
    ...['socket', '--tpm2', '--terminate', '--flags', 'not-need-init'],
    ...['--tpmstate', `dir=${state}`],
    ...['--server', `type=unixio,path=${dataPath}`, '--ctrl', `type=unixio,path=${controlPath}`],
  ]
}

/** What a person types to install swtpm. */
export const INSTALL_SWTPM =
  'apt-get install swtpm (Debian), dnf install swtpm (Fedora), apk add swtpm (Alpine) or brew install swtpm (macOS)'

/**
 * Spawns swtpm without inherited pipes, which would block the caller's caller after this process ends. It has its
 * own process group, so that Ctrl-C at a terminal reaches only this process, which then shuts it down in order.
 */
async function spawnSwtpm(
  { binary = 'swtpm', environment }: SwtpmOptions,
  args: readonly string[],
): Promise<ChildProcess> {
  const env = { ...process.env, ...environment }
  const child = spawn(binary, args, { stdio: 'ignore', detached: true, env })
  try {
    await once(child, 'spawn')
    return child
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
    const message = `swtpm is not installed: ${binary} was not found; type: ${INSTALL_SWTPM}`
    throw new SwtpmError('missing', message, { cause })
  }
}

async function tryConnect(path: string): Promise<Socket | undefined> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}

async function connectBefore(deadline: number, path: string, child: ChildProcess): Promise<Socket> {
  while (child.exitCode === null && child.signalCode === null && performance.now() < deadline) {
    const socket = await tryConnect(path)
    if (socket !== undefined) return socket
    await delay(POLL_MS)
  }
  throw notStarted(child)
}

function notStarted({ exitCode, signalCode }: ChildProcess, cause?: unknown): SwtpmError {
  const ended = exitCode ?? signalCode
  const why = ended === null ? 'did not open its socket in time' : `ended at once with ${ended}`
  const message = `swtpm ${why}; run it by hand to see why: swtpm socket --tpm2`
  return new SwtpmError('start', message, { cause })
}

async function explain(child: ChildProcess, error: unknown): Promise<unknown> {
  if (!(error instanceof SwtpmError && error.code === 'closed')) return error
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  // The process ends shortly after its connection.
  const signal = AbortSignal.timeout(TERM_DEADLINE_MS)
  if (!hasEnded()) await once(child, 'exit', { signal }).catch(() => undefined)
  return hasEnded() ? notStarted(child, error) : error
}

interface Places {
  /** The directory in which swtpm stores the TPM. */
  readonly state: string
  readonly controlPath: string
}

async function become(places: Places, copied: TpmState): Promise<void> {
  await writeState(places.state, copied)
  await cyclePower(places.controlPath, START_DEADLINE_MS)
  await forgetMemory(places)
}

/** Removes the snapshot of memory after swtpm has read it: otherwise the TPM would return to it after a power cut. */
async function forgetMemory({ state, controlPath }: Places): Promise<void> {
  await stateIsRead(controlPath, START_DEADLINE_MS)
  await rm(join(state, STATE_FILES.volatile), { force: true })
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), TERM_DEADLINE_MS)
  await ended
  clearTimeout(force)
}

/**
 * Starts a virtual TPM without TPM2_Startup: a fresh one with its own seeds, or the one with the given `state`. It
 * ends when its data connection closes, and so with this process; if this process dies before it has connected,
 * swtpm can be found by its `environment`.
 * Throws SwtpmError `missing`, `path-too-long`, `directory` or `start`, and leaves nothing behind then.
 */
export async function startSwtpm(options: SwtpmOptions): Promise<SwtpmProcess> {
  const { directory, state = join(directory, 'state') } = options
  const dataPath = join(directory, 's')
  const controlPath = join(directory, 's.ctrl')
  checkPath(controlPath)
  await makeDirectories(directory, state, options.copied)
  let child: ChildProcess | undefined
  const stop = async () => {
    if (child !== undefined) await endProcess(child)
    await rm(directory, { recursive: true, force: true })
  }
  try {
    child = await spawnSwtpm(options, swtpmArguments(state, dataPath, controlPath))
    const pid = child.pid ?? 0
    options.onProcess?.(pid, 'swtpm')
    const data = await connectBefore(performance.now() + START_DEADLINE_MS, dataPath, child)
    const places = { state, controlPath }
    if (options.copied !== undefined) await forgetMemory(places)
    // The reader of the connection receives `close`; without an error listener a reset would end this process.
    data.on('error', () => undefined)
    const process = child
    return {
      ...{ pid, data, controlPath },
      stop: () => {
        data.destroy()
        return stop()
      },
      explain: (error) => explain(process, error),
      become: (copied) => become(places, copied),
    }
  } catch (error) {
    await stop()
    throw error
  }
}
