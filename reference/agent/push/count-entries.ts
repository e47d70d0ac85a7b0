import { equalBytes } from '../../bytes/equal.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import type { BootLog } from '../logs/boot-log.ts'
import type { ImaLog } from '../logs/ima-log.ts'

/** Counts the entries of a measurement list, and reads only the lines added since the last count. */
export function countingIma(imaLog: ImaLog): () => Promise<number | undefined> {
  let counted = 0
  return async () => {
    const part = await imaLog(counted)
    if (part === undefined) return undefined
    counted = part.entry + linesIn(part.lines)
    return counted
  }
}

const NEWLINE = 0x0a

export function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

/** Counts the events of a firmware log, which is parsed when it is another one. One that cannot be read has none. */
export function countingBootEvents(bootLog: BootLog): () => Promise<number | undefined> {
  let known: { readonly log: Uint8Array; readonly events: number } | undefined
  return async () => {
    const log = await bootLog()
    if (log === undefined) return undefined
    if (known === undefined || !equalBytes(known.log, log)) known = { log, events: eventsIn(log) }
    return known.events
  }
}

/** A malformed log is sent as it is: the verifier evaluates it. */
function eventsIn(log: Uint8Array): number {
  try {
    return parseBootLog(log).events.length
  } catch (error) {
    if (error instanceof WireError) return 0
    throw error
  }
}
