import type { Manufacturer } from '../swtpm/manufacturer.ts'
import { makePersistentKey } from '../swtpm/provision.ts'
import { IAK_ECC256, IDEVID_ECC256 } from '../swtpm/templates.ts'
import { parseTpm2bPublic, spkiOf, type TPMT_PUBLIC } from '../tpm/public.ts'
import type { Tpm } from '../tpm/tpm.ts'

/** Handles of the identity keys of a machine, by the TCG provisioning guidance. */
const IDEVID_HANDLE = 0x81020000
const IAK_HANDLE = 0x81020001

/** A manufacturer's key in the TPM of a device. */
interface DeviceKey {
  readonly handle: number
  /** TPM2B_PUBLIC, with its size. */
  readonly public: Uint8Array
  /** Issued by the manufacturer, DER. */
  readonly certificate: Uint8Array
}

/** The identity keys of a device: one that only attests (IAK), and one that signs any data (IDevID). */
export interface DeviceIdentity {
  readonly iak: DeviceKey
  readonly idevid: DeviceKey
}

/** Creates the identity keys of a device and has them certified. */
export async function makeDeviceIdentity(tpm: Tpm, maker: Manufacturer): Promise<DeviceIdentity> {
  const make = async (
    name: string,
    template: TPMT_PUBLIC,
    persistent: number,
  ): Promise<DeviceKey> => {
    const made = await makePersistentKey(tpm.transmit, template, persistent)
    const certificate = await maker.certifyDevice(spkiOf(parseTpm2bPublic(made.public)), name)
    return { handle: made.handle, public: made.public, certificate }
  }
  return {
    iak: await make('IAK of a virtual TPM', IAK_ECC256, IAK_HANDLE),
    idevid: await make('IDevID of a virtual TPM', IDEVID_ECC256, IDEVID_HANDLE),
  }
}
