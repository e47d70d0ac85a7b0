import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSigningKey, type SigningKey } from '../signing-key.ts'
import { TPM_SU } from '../tpm/constants.ts'
import { bindTpm } from '../tpm/tpm.ts'
import { openBroker } from './broker.ts'
import type { Manufacturer } from './manufacturer.ts'
import { STATE_FILE, type SwtpmOptions, startSwtpm } from './process.ts'
import { AK_HANDLE, type EndorsementKey, manufacture } from './provision.ts'
import type { AkKind } from './templates.ts'

/** The keys that a TPM has when its machine boots for the first time. */
export interface MachineKeys {
  readonly ek: EndorsementKey
  readonly ak: SigningKey
}

/** A TPM as it leaves its manufacturer. */
export interface ManufacturedTpm extends MachineKeys {
  /** What swtpm stores of it: its seeds, its persistent keys and its NV. */
  readonly state: Uint8Array
}

/** A TPM that belongs to one machine until it is given back. */
export interface Lease {
  readonly tpm: ManufacturedTpm
  giveBack(): void
}

/** TPMs that no machine has at the moment, by manufacturer and kind of attestation key. */
const stocks = new WeakMap<Manufacturer, Map<string, ManufacturedTpm[]>>()

function stockOf(manufacturer: Manufacturer, kind: AkKind): ManufacturedTpm[] {
  const kinds = stocks.get(manufacturer) ?? new Map<string, ManufacturedTpm[]>()
  stocks.set(manufacturer, kinds)
  const key = JSON.stringify([kind.algorithm, kind.scheme, kind.hash])
  const stock = kinds.get(key) ?? []
  kinds.set(key, stock)
  return stock
}

/**
 * Leases a TPM that no other machine has now; one is manufactured where none is free. RSA keys are most of what a TPM
 * costs, so one that was given back serves the next machine, from the state in which it was manufactured.
 */
export async function leaseTpm(
  manufacturer: Manufacturer,
  kind: AkKind,
  options: Omit<SwtpmOptions, 'state'>,
): Promise<Lease> {
  const stock = stockOf(manufacturer, kind)
  const tpm = stock.pop() ?? (await manufactureTpm(manufacturer, kind, options))
  let given = false
  return {
    tpm,
    giveBack() {
      if (!given) stock.push(tpm)
      given = true
    },
  }
}

/** Makes the keys of a TPM that has been started up: the endorsement key with its certificate, and an attestation key. */
export async function makeKeys(
  transmit: Parameters<typeof bindTpm>[0],
  manufacturer: Manufacturer,
  { algorithm, ...how }: AkKind,
): Promise<MachineKeys> {
  return {
    ek: await manufacture(transmit, manufacturer),
    ak: await makeSigningKey(bindTpm(transmit), AK_HANDLE, algorithm, how),
  }
}

async function manufactureTpm(
  manufacturer: Manufacturer,
  kind: AkKind,
  options: Omit<SwtpmOptions, 'state'>,
): Promise<ManufacturedTpm> {
  const swtpm = await startSwtpm(options)
  try {
    const broker = openBroker({ data: swtpm.data, controlPath: swtpm.controlPath })
    await bindTpm(broker.transmit).startup()
    const keys = await makeKeys(broker.transmit, manufacturer, kind)
    // Shut down in order, so that its clock counts as safe when a machine starts it.
    await broker.close(TPM_SU.CLEAR)
    const state = await readFile(join(options.directory, 'state', STATE_FILE))
    return { ...keys, state }
  } finally {
    await swtpm.stop()
  }
}
