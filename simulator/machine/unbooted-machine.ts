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
import { softEndorsementKey } from './soft-endorsement-key.ts'

/** What an agent needs of a machine. */
export interface AttestingMachine
  extends Attesting,
    Pick<Machine, 'ek' | 'ak' | 'ima' | 'uefi' | 'bootTime' | 'deviceIdentity'> {
  readonly tpm: Pick<Tpm, 'activateCredential'>
}

const CLOCK = { clock: 1_000_000n, resetCount: 1, restartCount: 0, safe: 1 }
const NOTHING = new Uint8Array()

let made: SoftAttester | undefined

/** The same key for every paper machine: finding primes takes longer than everything else of one. */
function attestationKey(): SoftAttester {
  made ??= rsaAttester('a paper attestation key')
  return made
}

/** SHA-256 over PCRs 0 to 9 of a machine on which no firmware measured anything. */
const BOOT_AGGREGATE = imaEntry('ima-ng', {
  path: 'boot_aggregate',
  digest: digest('sha256', filled(10 * 32)),
})

/** What every kernel measures before all else: a list without it is no machine's. */
async function measured(): Promise<SoftPcrs> {
  const pcrs = softPcrs()
  await extendEntry(pcrs, BOOT_AGGREGATE)
  return pcrs
}

/**
 * A machine without a TPM, which costs a scenario next to nothing: its keys are numbers, its PCRs but for that of the
 * list are zeros, and all that was measured on it is that nothing was before. It is for what depends on who asks and not on what is attested. All of them have the same keys.
 */
export async function unbootedMachine(manufacturer: Manufacturer): Promise<AttestingMachine> {
  const attester = attestationKey()
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

/** What only a TPM can do, for a machine without one. */
export function withoutTpm(): Promise<never> {
  return Promise.reject(new TypeError('this machine has no TPM'))
}
