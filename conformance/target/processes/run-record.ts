import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnedProcess } from './end-processes.ts'

/** `processes.json`: who runs, what it started, and what outlives nobody. */
export interface RunRecord {
  readonly schema: 'assay.processes/1'
  /** The run directory itself, which is also the mark its processes carry. */
  readonly run: string
  readonly boot_id: string
  readonly runner: { readonly pid: number; readonly start_time: string }
  /** Null once it has been removed. */
  readonly socket_directory: string | null
  readonly processes: readonly OwnedProcess[]
}

const FILE = 'processes.json'

function isRunRecord(value: unknown): value is RunRecord {
  const record: Partial<Record<keyof RunRecord, unknown>> = Object(value)
  return record.schema === 'assay.processes/1' && Array.isArray(record.processes)
}

/** The record in `directory`; undefined when there is none, which means that the directory is not ours. */
export function readRunRecord(directory: string): RunRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(directory, FILE), 'utf8'))
    return isRunRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

/** Replaces the record in `directory` in one step: a reader finds the old one or the new one, whatever dies in between. */
export function writeRunRecord(directory: string, record: RunRecord): void {
  const draft = join(directory, `.${FILE}`)
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, join(directory, FILE))
}
