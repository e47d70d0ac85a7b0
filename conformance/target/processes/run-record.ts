import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnedProcess } from './end-processes.ts'

/** `processes.json`: the runner, the processes that it started, and its socket directory. */
export interface RunRecord {
  readonly schema: 'assay.processes/1'
  /** The run directory; its path is also the mark of its processes. */
  readonly run: string
  readonly boot_id: string
  readonly runner: { readonly pid: number; readonly start_time: string }
  /** Null after its removal. */
  readonly socket_directory: string | null
  readonly processes: readonly OwnedProcess[]
}

const FILE = 'processes.json'

function isRunRecord(value: unknown): value is RunRecord {
  const record: Partial<Record<keyof RunRecord, unknown>> = Object(value)
  return record.schema === 'assay.processes/1' && Array.isArray(record.processes)
}

/** The record in `directory`; undefined if there is none: then the directory does not belong to Assay. */
export function readRunRecord(directory: string): RunRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(directory, FILE), 'utf8'))
    return isRunRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

/** Replaces the record in `directory` atomically: a reader sees the old or the new one, even if this process dies. */
export function writeRunRecord(directory: string, record: RunRecord): void {
  const draft = join(directory, `.${FILE}`)
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, join(directory, FILE))
}
