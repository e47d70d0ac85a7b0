import { digest } from '../../../simulator/tpm/hash.ts'
import { cat, equal, filled, text } from '../../../simulator/tpm/write.ts'
import { type BootRow, breaksBootRow, isReferenceState } from './boot-policies.ts'
import type { ContradictionRow } from './contradiction-row.ts'
import { pcrValue, type Reading } from './reading.ts'

/** PCRs without which nothing is proven of firmware, boot loader or keys. */
const NEEDED_PCRS = [0, 4, 7]

function isJudged({ claim }: Reading): boolean {
  return claim.bootPolicy !== undefined && isReferenceState(claim.bootPolicy)
}

function lacksPcr(reading: Reading): boolean {
  const { blob, claim } = reading
  const missing = (pcr: number) => blob && pcrValue(blob, pcr, claim.hashAlg) === undefined
  return isJudged(reading) && NEEDED_PCRS.some(missing)
}

const NAME = text('boot_aggregate\0')
const PREFIX = text('sha256:\0')

/** What the kernel found in the PCRs of the firmware, when it tells so in SHA-256. */
function toldAggregate({ list }: Reading): Uint8Array | undefined {
  const entries = list?.kind === 'quoted' ? list.entries : []
  const entry = entries.find(({ fields }) => equal(fields[1] ?? filled(0), NAME))
  const field = entry?.fields[0] ?? filled(0)
  const inSha256 = field.length === 40 && equal(field.subarray(0, 8), PREFIX)
  return inSha256 ? field.subarray(8) : undefined
}

/** The hash over PCR 0 to the last one, when all of them are claimed. */
function aggregate({ blob }: Reading, last: number): Uint8Array | undefined {
  const values = Array.from({ length: last + 1 }, (_, pcr) => blob && pcrValue(blob, pcr, 'sha256'))
  const whole = values.filter((value) => value !== undefined)
  return whole.length === values.length ? digest('sha256', cat(...whole)) : undefined
}

/** What a kernel on this machine may have found in the PCRs of the firmware, as far as they are claimed. */
export function aggregatesOf(reading: Reading): readonly Uint8Array[] {
  return [7, 9].map((last) => aggregate(reading, last)).filter((one) => one !== undefined)
}

/** A list that began on another machine: older kernels hash PCR 0 to 7, newer ones 0 to 9. */
function isUntied(reading: Reading): boolean {
  const told = toldAggregate(reading)
  const known = aggregatesOf(reading)
  if (told === undefined || known.length < 2) return false
  return isJudged(reading) && !known.some((one) => equal(one, told))
}

/** A rule of the reference state that the proven events break. */
function row(id: BootRow, says: string): ContradictionRow {
  return {
    id,
    says,
    holds: ({ claim: { bootPolicy }, boot }: Reading) =>
      boot?.kind === 'quoted' &&
      bootPolicy !== undefined &&
      breaksBootRow(id, bootPolicy, boot.events),
  }
}

/** What evidence must not say of the boot of a machine. */
export const BOOT_CONTRADICTIONS: readonly ContradictionRow[] = [
  {
    id: 'boot-missing',
    says: 'comes with a boot policy and without a firmware log',
    holds: (reading) =>
      isJudged(reading) &&
      (reading.claim.bootLog === undefined || reading.claim.bootLog.length === 0),
  },
  {
    id: 'boot-unquoted',
    says: 'comes with a boot policy and quotes no PCR that it speaks of',
    holds: lacksPcr,
  },
  {
    id: 'boot-bank',
    says: 'has a firmware log without digests of the quoted bank',
    holds: (reading) => isJudged(reading) && reading.boot?.kind === 'other bank',
  },
  {
    id: 'boot-replay',
    says: 'has a firmware log that does not give the quoted PCRs',
    holds: (reading) => isJudged(reading) && reading.boot?.kind === 'unquoted',
  },
  {
    id: 'boot-aggregate',
    says: 'has a measurement list that began on another machine',
    holds: isUntied,
  },
  row('boot-secure', 'shows no proof that Secure Boot is on, as its policy wants it'),
  row('boot-unproven', 'tells of a variable otherwise than it was measured'),
  row('boot-type', 'shows a measurement of an unknown type in a PCR that decides what may run'),
  row('boot-error', 'shows that the firmware told of an error'),
  row('boot-key', 'shows a key in PK, KEK or db that its policy does not have'),
  row('boot-revoked', 'shows a firmware that does not revoke what its policy has revoked'),
  row('boot-firmware', 'shows a firmware that its policy does not have'),
  row('boot-mok', 'shows a list of shim that its policy does not have'),
  row('boot-image', 'shows an image that its policy does not have'),
  row('boot-authority', 'shows an image that a key let through which its policy does not have'),
  row('boot-command', 'shows a command line that its policy does not have'),
  row('boot-file', 'shows a file for the start of the kernel that its policy does not have'),
]
