import { faultSet } from '../faults/fault-set.ts'
import { imaEntry } from '../ima/make-entry.ts'
import { imaLog } from '../platform/ima-log.ts'
import { extendEntry } from '../platform/replay.ts'
import { type SoftPcrs, softPcrs } from '../platform/soft-pcrs.ts'
import type { Manufacturer } from '../swtpm/manufacturer.ts'
import { AK_HANDLE } from '../swtpm/provision.ts'
import { digest } from '../tpm/hash.ts'
import { nameOf, pemOf } from '../tpm/public.ts'
import type { Tpm } from '../tpm/tpm.ts'
import { filled } from '../tpm/write.ts'
import type { Attesting } from './attesting.ts'
import type { Machine } from './machine.ts'
import { rsaAttester, type SoftAttester } from './soft-attester.ts'
import { softAttesting, tickingClock } from './soft-attesting.ts'
import { type SoftEndorsementKey, softEndorsementKey } from './soft-endorsement-key.ts'

/** The parts of a machine that a push agent uses. */
export interface AttestingMachine
  extends Attesting,
    Pick<Machine, 'ek' | 'ak' | 'ima' | 'uefi' | 'bootTime' | 'deviceIdentity'> {
  readonly tpm: Pick<Tpm, 'activateCredential'>
}

/** A machine without a TPM and without a boot. */
export interface UnbootedMachine extends AttestingMachine {
  readonly ek: SoftEndorsementKey
}

const CLOCK = { clock: 1_000_000n, resetCount: 1, restartCount: 0, safe: 1 }
const NOTHING = new Uint8Array()

let made: SoftAttester | undefined

/** All unbooted machines share one key, since prime generation dominates their cost. */
function attestationKey(): SoftAttester {
  made ??= rsaAttester('a paper attestation key')
  return made
}

/** SHA-256 over PCRs 0 to 9 of a machine whose firmware measured nothing. */
const BOOT_AGGREGATE = imaEntry('ima-ng', {
  path: 'boot_aggregate',
  digest: digest('sha256', filled(10 * 32)),
})

/** The first measurement of every kernel; no real list lacks it. */
async function measured(): Promise<SoftPcrs> {
  const pcrs = softPcrs()
  await extendEntry(pcrs, BOOT_AGGREGATE)
  return pcrs
}

/**
 * Creates a machine without a TPM and without a boot, at almost no cost: software keys that all of them share, PCRs
 * of zeros except PCR 10, and a list with only the boot aggregate. For scenarios that depend on the client and not
 * on the evidence. An attester in place of the shared key must be of RSA-2048; whatever its scheme, the machine names
 * RSASSA.
 */
export async function unbootedMachine(
  manufacturer: Manufacturer,
  attester: SoftAttester = attestationKey(),
): Promise<UnbootedMachine> {
  const ek = await softEndorsementKey('a paper endorsement key', manufacturer)
  const name = nameOf(attester.public)
  return {
    ek,
    ak: {
      handle: AK_HANDLE,
      public: attester.public,
      name,
      publicPem: pemOf(attester.area),
      algorithm: 'rsa2048',
    },
    ima: imaLog([BOOT_AGGREGATE], faultSet()),
    uefi: { bytes: NOTHING, entryCount: 0 },
    bootTime: '2026-01-01T00:00:00Z',
    deviceIdentity: withoutTpm,
    tpm: { activateCredential: withoutTpm },
    ...softAttesting({ attester, pcrs: await measured(), clockInfo: tickingClock(CLOCK) }),
    activateCredential: async (blob) => ek.open(blob, name),
  }
}

/** Rejects an operation that needs a TPM. */
export function withoutTpm(): Promise<never> {
  return Promise.reject(new TypeError('this machine has no TPM; use a machine with one'))
}
