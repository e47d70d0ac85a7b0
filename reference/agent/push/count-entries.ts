import { equalBytes } from '../../bytes/equal.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { PCRS } from '../../evidence/uefi/log/log-registers.ts'
import { parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import type { BootLog } from '../logs/boot-log.ts'
import { framesOf, type ImaLog } from '../logs/ima-log.ts'

/** The length of a measurement list, and its form. */
export interface ImaCount {
  readonly entries: number
  readonly isBinary: boolean
}

/** Counts the entries of a measurement list, and reads only those added since the last count. */
export function countingIma(imaLog: ImaLog): () => Promise<ImaCount | undefined> {
  let counted = 0
  return async () => {
    const part = await imaLog(counted)
    if (part === undefined) return undefined
    const { linesIn } = framesOf(part)
    counted = part.entry + linesIn(part.lines)
    return { entries: counted, isBinary: part.isBinary === true }
  }
}

/** Counts the events of a firmware log, which is parsed when it is another one. One that cannot be read has none. */
export function countingBootEvents(bootLog: BootLog): () => Promise<number | undefined> {
  let known: { readonly log: Uint8Array; readonly events: number } | undefined
  return async () => {
    const log = await bootLog()
    if (log === undefined) return undefined
    if (known === undefined || !equalBytes(known.log, log))
      known = { log, events: eventEnds(log).length }
    return known.events
  }
}

/** Where each event of a firmware log ends; a malformed log has none. */
export function eventEnds(log: Uint8Array): readonly number[] {
  const ends: number[] = []
  try {
    parseBootLog(log, PCRS, (offset) => ends.push(offset))
    return ends
  } catch (error) {
    if (error instanceof WireError) return []
    throw error
  }
}
