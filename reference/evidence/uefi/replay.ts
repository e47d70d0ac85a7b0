import { WireError } from '../../bytes/wire-error.ts'
import { type HashAlgorithm, hashByName } from '../../tpm/algorithms.ts'
import { extend } from '../../tpm/digest.ts'
import type { VerifiedPcrs } from '../verified-pcrs.ts'
import {
  type BootEvent,
  type BootLog,
  EV_EFI_HCRTM_EVENT,
  EV_NO_ACTION,
  textOf,
} from './parse-log.ts'

/** One PCR that a log was replayed to. */
export interface PcrReplay {
  readonly bank: string
  readonly pcr: number
  readonly replayed: Uint8Array
  readonly quoted: Uint8Array
}

const STARTUP_LOCALITY = 'StartupLocality\0'

/** Localities a TPM can be started from (Part 1, 34.3); 4 stands for a hardware root of trust. */
const LOCALITIES: readonly (number | undefined)[] = [0, 3, 4]
const HCRTM_LOCALITY = 4

/**
 * Replays a log to every proven PCR of the banks it has digests of; a bank it lacks gives no replay.
 *
 * @throws {WireError} when an event has no digest of a bank that was quoted, or the startup locality makes no sense
 */
export function replayBootLog(log: BootLog, verified: VerifiedPcrs): readonly PcrReplay[] {
  const locality = startupLocality(log.events)
  return [...verified].flatMap(([name, quoted]) => {
    const bank = log.banks.includes(name) ? hashByName(name) : undefined
    if (!bank) return []
    const values = replayBank(log, bank, locality)
    return [...quoted].map(([pcr, value]) => ({
      bank: name,
      pcr,
      replayed: values.get(pcr) ?? new Uint8Array(value.length),
      quoted: value,
    }))
  })
}

/** PCR values after the measurements of a log; a PCR without any is left out. */
export function replayBank(
  log: BootLog,
  bank: HashAlgorithm,
  locality: number,
): ReadonlyMap<number, Uint8Array> {
  const values = new Map<number, Uint8Array>()
  for (const event of log.events) {
    if (event.untrustedType === EV_NO_ACTION) continue
    const digest = event.digests.get(bank.name)
    if (!digest)
      throw new WireError(
        `LOG[${event.number}].digests`,
        0,
        `has no digest of bank ${bank.name}, which was quoted`,
      )
    const before = values.get(event.pcr) ?? resetValue(event.pcr, bank, locality)
    values.set(event.pcr, extend(bank, before, digest))
  }
  if (locality !== 0 && !values.has(0)) values.set(0, resetValue(0, bank, locality))
  return values
}

/** The locality a TPM was started from is in the last byte of PCR 0 (PFP 3.3.1). */
function resetValue(pcr: number, bank: HashAlgorithm, locality: number): Uint8Array {
  const value = new Uint8Array(bank.size)
  if (pcr === 0) value[bank.size - 1] = locality
  return value
}

/**
 * Locality from the StartupLocality event (PFP 10.4.5.3), which must come before anything measured into PCR 0;
 * without one, 4 when the first thing measured into PCR 0 is the event of a hardware root of trust, else 0.
 *
 * @throws {WireError} when there are two such events, or one out of place or out of range
 */
export function startupLocality(events: readonly BootEvent[]): number {
  const firstMeasured = events.findIndex(
    ({ pcr, untrustedType }) => pcr === 0 && untrustedType !== EV_NO_ACTION,
  )
  const [declared, ...more] = events.filter(isStartupLocality)
  if (!declared)
    return events[firstMeasured]?.untrustedType === EV_EFI_HCRTM_EVENT ? HCRTM_LOCALITY : 0
  const path = `LOG[${declared.number}].event`
  if (more.length > 0) throw new WireError(path, 0, 'there is more than one StartupLocality event')
  if (firstMeasured >= 0 && declared.number > firstMeasured)
    throw new WireError(path, 0, 'StartupLocality comes after a measurement into PCR 0')
  const locality = declared.data.raw[STARTUP_LOCALITY.length]
  if (declared.data.raw.length !== STARTUP_LOCALITY.length + 1 || !LOCALITIES.includes(locality))
    throw new WireError(path, STARTUP_LOCALITY.length, 'expected one byte: locality 0, 3 or 4')
  return locality ?? 0
}

function isStartupLocality({ pcr, untrustedType, data }: BootEvent): boolean {
  const head = data.raw.subarray(0, STARTUP_LOCALITY.length)
  return pcr === 0 && untrustedType === EV_NO_ACTION && textOf(head) === STARTUP_LOCALITY
}
