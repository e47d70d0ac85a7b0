import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Bank } from '../tpm/hash.ts'

const run = promisify(execFile)

/** Output of `tpm2_eventlog` for a log. */
interface ToolReading {
  readonly events: number
  /** `sha256 10` -> value in lower-case hexadecimal. */
  readonly pcrs: ReadonlyMap<string, string>
  /** Its error message; empty if there is none. */
  readonly complaint: string
}

const BANK_LINE = /^ {2}(sha\w+):$/
const PCR_LINE = /^ {4}(\d+)\s*: 0x([0-9a-f]+)$/i

/** Parses the output line by line, since for a log of TCG 1.2 it is not YAML. */
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

/** Reads a log with `tpm2_eventlog`, which may refuse it. */
export async function toldByTool(file: string): Promise<ToolReading> {
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
