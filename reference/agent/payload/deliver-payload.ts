import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inTurn } from '../../tpm/transports/in-turn.ts'
import type { Delivery } from '../keys/bootstrap-keys.ts'
import { ensureOwnDirectory, writeOwnFile } from '../own-files.ts'
import { runFile } from '../run-file.ts'
import {
  type ArchivedFile,
  type EntryCheck,
  RefusedArchive,
  type readArchive,
} from './read-archive.ts'

export interface PayloadSettings {
  /** Only its owner enters it; a tmpfs, where the payload must not come to a disk. */
  readonly directory: string
  /** Names of files in it: K, and the payload as it was decrypted. */
  readonly keyFile: string
  readonly payloadFile: string
  /** Whether the payload is an archive. */
  readonly isArchive: boolean
  /** A file of the archive that is run; empty runs none. */
  readonly script: string
  /** Bytes that an archive may hold. */
  readonly limit: number
}

interface PayloadParts {
  readonly settings: PayloadSettings
  readonly readArchive: typeof readArchive
  readonly entryChecks: readonly EntryCheck[]
  readonly log: {
    info(sentence: string): void
    warn(sentence: string): void
  }
}

interface Deliveries {
  /** Starts a delivery; a failure is logged, as the tenant already has its answer. */
  deliver(delivery: Delivery): void
  /** Stops a running script, and waits for deliveries in progress. */
  close(): Promise<void>
}

const ENTRIES = 1000

/** Where the files of an archive are. */
export function unpackedAt(directory: string): string {
  return join(directory, 'unzipped')
}

/** Puts payloads where their scripts and their readers find them, one after the other. */
export function deliveries(parts: PayloadParts): Deliveries {
  const queue = inTurn()
  const closing = new AbortController()
  return {
    deliver(delivery) {
      queue(() => deliver(parts, delivery, closing.signal)).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        parts.log.warn(`payload not delivered: ${why}`)
      })
    },
    close() {
      closing.abort()
      return queue(async () => undefined)
    },
  }
}

async function deliver(
  { settings, readArchive, entryChecks, log }: PayloadParts,
  { key, payload }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  if (payload === undefined) return
  const { directory, isArchive, limit } = settings
  ensureOwnDirectory(directory)
  writeOwnFile(join(directory, settings.keyFile), key)
  writeOwnFile(join(directory, settings.payloadFile), payload)
  if (!isArchive) return
  const files = await readArchive(payload, entryChecks, { size: limit, entries: ENTRIES })
  unpack(unpackedAt(directory), files)
  log.info(`payload unpacked: ${files.length} file(s)`)
  if (settings.script !== '') await run(settings.script, unpackedAt(directory), signal, log)
}

/** Writes all files or none: into a new directory that replaces the old one in one step. */
function unpack(directory: string, files: readonly ArchivedFile[]): void {
  const draft = `${directory}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  for (const { path, content } of files) {
    const place = join(draft, path)
    if (!place.startsWith(`${draft}/`)) throw new RefusedArchive(`${path} leads out of the archive`)
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
    writeOwnFile(place, content)
  }
  rmSync(directory, { recursive: true, force: true })
  renameSync(draft, directory)
}

/** Runs a script of the payload; its exit is logged and has no other effect. */
async function run(
  script: string,
  cwd: string,
  signal: AbortSignal,
  log: PayloadParts['log'],
): Promise<void> {
  const file = join(cwd, script)
  if (!existsSync(file)) return log.info(`payload has no ${script}`)
  chmodSync(file, 0o700)
  const code = await runFile('/bin/sh', [`./${script}`], { cwd, signal })
  log.info(`${script} ended with ${code}`)
}
