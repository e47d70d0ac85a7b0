import { WireError } from '../../../bytes/wire-error.ts'
import { type HashAlgorithm, hashByName } from '../../../tpm/algorithms.ts'
import { Register } from '../../../tpm/digest.ts'
import type { VerifiedPcrs } from '../../quote/verified-pcrs.ts'
import { type BootEvent, type BootLog, EV_EFI_HCRTM_EVENT, EV_NO_ACTION } from './parse-log.ts'
import { textOf } from './text-of.ts'

/** One PCR that a log was replayed to. */
export interface PcrReplay {
  readonly bank: string
  readonly pcr: number
  readonly replayed: Uint8Array
  readonly quoted: Uint8Array
}

/** An event without a digest of a bank that was quoted. */
export class MissingDigest extends WireError {
  constructor(event: number, bank: string) {
    super(`LOG[${event}].digests`, 0, `has no digest of bank ${bank}, which was quoted`)
  }
}

const STARTUP_LOCALITY = 'StartupLocality\0'

/** Localities a TPM can be started from (Part 1, 34.3); 4 means a hardware root of trust. */
const LOCALITIES: readonly (number | undefined)[] = [0, 3, 4]
const HCRTM_LOCALITY = 4

/** The exact data of the event of a hardware root of trust (PFP 10.4.1). */
const HCRTM = 'HCRTM'

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
  const registers = new Map<number, Register>()
  const registerOf = (pcr: number): Register => {
    const known = registers.get(pcr)
    if (known) return known
    const made = new Register(bank, resetValue(pcr, bank, locality))
    registers.set(pcr, made)
    return made
  }
  for (const event of log.events) {
    if (event.untrustedType === EV_NO_ACTION) continue
    const digest = event.digests.get(bank.name)
    if (!digest) throw withoutDigest(event, bank)
    registerOf(event.pcr).extend(digest)
  }
  if (locality !== 0) registerOf(0)
  return new Map([...registers].map(([pcr, { value }]) => [pcr, value]))
}

function withoutDigest({ number, digests }: BootEvent, { name }: HashAlgorithm): WireError {
  return digests.size > 0
    ? new MissingDigest(number, name)
    : new WireError(`LOG[${number}].digests`, 0, 'a measurement without any digest')
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
  if (!declared) return isHardwareRoot(events[firstMeasured]) ? HCRTM_LOCALITY : 0
  const path = `LOG[${declared.number}].event`
  if (more.length > 0) throw new WireError(path, 0, 'there is more than one StartupLocality event')
  if (firstMeasured >= 0 && declared.number > firstMeasured)
    throw new WireError(path, 0, 'StartupLocality comes after a measurement into PCR 0')
  const locality = declared.raw[STARTUP_LOCALITY.length]
  if (declared.raw.length !== STARTUP_LOCALITY.length + 1 || !LOCALITIES.includes(locality))
    throw new WireError(path, STARTUP_LOCALITY.length, 'expected one byte: locality 0, 3 or 4')
  return locality ?? 0
}

/** Whether only a hardware root of trust implies the locality, without an event for it. */
export function hasImpliedLocality(events: readonly BootEvent[]): boolean {
  return !events.some(isStartupLocality) && startupLocality(events) !== 0
}

function isHardwareRoot(event: BootEvent | undefined): boolean {
  return event?.untrustedType === EV_EFI_HCRTM_EVENT && textOf(event.raw) === HCRTM
}

function isStartupLocality({ pcr, untrustedType, raw }: BootEvent): boolean {
  if (pcr !== 0 || untrustedType !== EV_NO_ACTION) return false
  return textOf(raw.subarray(0, STARTUP_LOCALITY.length)) === STARTUP_LOCALITY
}
