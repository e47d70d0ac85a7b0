import { join } from 'node:path'
import { openBroker } from '../swtpm/broker.ts'
import type { Manufacturer } from '../swtpm/manufacturer.ts'
import { storeVolatile } from '../swtpm/power.ts'
import { readState, type SwtpmOptions, startSwtpm, type TpmState } from '../swtpm/process.ts'
import { AK_HANDLE, certifyAnew, type EndorsementKey, manufacture } from '../swtpm/provision.ts'
import { findSigningKey, makeSigningKey, type SigningKey } from '../swtpm/signing-key.ts'
import type { AkKind } from '../swtpm/templates.ts'
import type { Transmit } from '../tpm/command.ts'
import { bindTpm } from '../tpm/tpm.ts'
import type { RecordedBoot } from './recorded-boot.ts'
import { replayBoot } from './replay.ts'

const SNAPSHOT_WITHIN_MS = 10_000

/** The keys of a TPM at the first boot of its machine. */
export interface MachineKeys {
  readonly ek: EndorsementKey
  readonly ak: SigningKey
}

/** A TPM that went through a boot, whose state can be copied. */
export interface BootedTpm extends MachineKeys {
  readonly state: TpmState
}

/** A TPM that belongs to one machine until it is released. */
interface Lease {
  readonly tpm: BootedTpm
  giveBack(): void
}

/** Use for which a TPM is manufactured. */
interface Purpose {
  readonly manufacturer: Manufacturer
  readonly kind: AkKind
  readonly boot: RecordedBoot
}

/** Free TPMs, by manufacturer, boot, and kind of attestation key. */
const stocks = new WeakMap<Manufacturer, WeakMap<RecordedBoot, Map<string, BootedTpm[]>>>()

function stockOf({ manufacturer, kind, boot }: Purpose): BootedTpm[] {
  const boots = stocks.get(manufacturer) ?? new WeakMap<RecordedBoot, Map<string, BootedTpm[]>>()
  stocks.set(manufacturer, boots)
  const kinds = boots.get(boot) ?? new Map<string, BootedTpm[]>()
  boots.set(boot, kinds)
  const key = JSON.stringify([kind.algorithm, kind.scheme, kind.hash])
  const stock = kinds.get(key) ?? []
  kinds.set(key, stock)
  return stock
}

/**
 * Leases a TPM that no other machine uses; manufactures and boots one if none is free. RSA keys and the hundreds of
 * measurements of a boot are most of the cost of a machine, so a released TPM serves the next machine, in its state
 * after the boot.
 */
export async function leaseTpm(
  purpose: Purpose,
  options: Omit<SwtpmOptions, 'state'>,
): Promise<Lease> {
  const stock = stockOf(purpose)
  const tpm = stock.pop() ?? (await manufactureTpm(purpose, options))
  let given = false
  return {
    tpm,
    giveBack() {
      if (!given) stock.push(tpm)
      given = true
    },
  }
}

/** Creates the keys of a started TPM: the endorsement key with its certificate, and an attestation key. */
export async function makeKeys(
  transmit: Transmit,
  manufacturer: Manufacturer,
  { algorithm, ...how }: AkKind,
): Promise<MachineKeys> {
  return {
    ek: await manufacture(transmit, manufacturer),
    ak: await makeSigningKey(bindTpm(transmit), AK_HANDLE, algorithm, how),
  }
}

/**
 * Leases a TPM in the state that another run has recorded, with an endorsement key that this manufacturer certifies.
 * Rejects if the state has no attestation key of this kind.
 */
export async function leaseRecordedTpm(
  state: TpmState,
  { manufacturer, kind: { algorithm, ...how } }: Omit<Purpose, 'boot'>,
  options: Omit<SwtpmOptions, 'state' | 'copied'>,
): Promise<Lease> {
  const tpm = await prepareTpm({ ...options, copied: state }, async (transmit) => ({
    ek: await certifyAnew(transmit, manufacturer),
    ak: await findSigningKey(bindTpm(transmit), AK_HANDLE, algorithm, how),
  }))
  return { tpm, giveBack: () => undefined }
}

function manufactureTpm(
  { manufacturer, kind, boot }: Purpose,
  options: Omit<SwtpmOptions, 'state'>,
): Promise<BootedTpm> {
  return prepareTpm(options, async (transmit) => {
    const tpm = bindTpm(transmit)
    await tpm.startup()
    const keys = await makeKeys(transmit, manufacturer, kind)
    await replayBoot(tpm, boot)
    return keys
  })
}

/** Starts a TPM, prepares it, and returns its state and its keys. */
async function prepareTpm(
  options: Omit<SwtpmOptions, 'state'>,
  prepare: (transmit: Transmit) => Promise<MachineKeys>,
): Promise<BootedTpm> {
  const swtpm = await startSwtpm(options)
  try {
    const broker = openBroker({ data: swtpm.data, controlPath: swtpm.controlPath })
    const keys = await prepare(broker.transmit)
    await storeVolatile(swtpm.controlPath, SNAPSHOT_WITHIN_MS)
    const state = await readState(join(options.directory, 'state'))
    await broker.close()
    return { ...keys, state }
  } finally {
    await swtpm.stop()
  }
}
