import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Bank } from '../tpm/hash.ts'

const run = promisify(execFile)

/** What `tpm2_eventlog` says of a log. */
export interface ToldLog {
  readonly events: number
  /** `sha256 10` -> value in lower-case hexadecimal. */
  readonly pcrs: ReadonlyMap<string, string>
  /** What it complains of; empty where it is content. */
  readonly complaint: string
}

const BANK_LINE = /^ {2}(sha\w+):$/
const PCR_LINE = /^ {4}(\d+)\s*: 0x([0-9a-f]+)$/i

/** Reads what the tool prints, line by line: for a log of TCG 1.2 that is no YAML. */
function readPcrs(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let bank = '' as Bank | ''
  const [, section = ''] = text.split(/^pcrs:$/m)
  for (const line of section.split('\n')) {
    bank = (BANK_LINE.exec(line)?.[1] as Bank | undefined) ?? bank
    const [, pcr, value = ''] = PCR_LINE.exec(line) ?? []
    if (pcr !== undefined) found.set(`${bank} ${pcr}`, value.toLowerCase())
  }
  return found
}

/** What the tool of tpm2-tools makes of a log; it may refuse it, and say so. */
export async function toldByTool(file: string): Promise<ToldLog> {
  const ended = await run('tpm2_eventlog', [file], { timeout: 20_000, maxBuffer: 1 << 28 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  const { stdout, stderr } = ended
  return {
    events: stdout.match(/^ *(- )?PCRIndex: /gm)?.length ?? 0,
    pcrs: readPcrs(stdout),
    complaint: stderr.trim(),
  }
}
