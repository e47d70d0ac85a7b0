import { readFileSync } from 'node:fs'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Clock } from '../../platform/clock.ts'
import type { Attester } from '../attester/attester.ts'
import { writeOwnFile } from '../own-files.ts'

const INSTANT = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[.]\\d{3}Z$'
const BootRecord = Type.Object({
  reset_count: Type.Integer(),
  boot_time: Type.String({ pattern: INSTANT }),
})
type BootRecord = Static<typeof BootRecord>
const validator = Compile(BootRecord)

/**
 * When the machine booted, according to its TPM: it counts its resets, of which every boot is one, and the time since. The
 * text is kept in a file, so that one boot has one boot time, whether the agent was started anew in it or the wall clock
 * was set: a verifier takes another text for another boot, and asks for the whole list.
 */
export function bootTimes(
  attester: Pick<Attester, 'boot'>,
  clock: Pick<Clock, 'now'>,
  file: string,
): () => Promise<string> {
  let kept = readRecord(file)
  return async () => {
    const { uptime, resetCount } = await attester.boot()
    if (kept?.reset_count === resetCount) return kept.boot_time
    const booted = Math.floor(clock.now() - Number(uptime))
    kept = { reset_count: resetCount, boot_time: instantAfter(kept, booted) }
    writeOwnFile(file, `${JSON.stringify(kept)}\n`)
    return kept.boot_time
  }
}

/** A boot comes after the previous one, even if the wall clock went back. */
function instantAfter(kept: BootRecord | undefined, booted: number): string {
  const before = kept === undefined ? Number.NaN : Date.parse(kept.boot_time)
  return new Date(booted <= before ? before + 1 : booted).toISOString()
}

/** A record that is damaged costs one transfer of the whole list, and no more. */
function readRecord(file: string): BootRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return validator.Check(record) ? record : undefined
  } catch {
    return undefined
  }
}
