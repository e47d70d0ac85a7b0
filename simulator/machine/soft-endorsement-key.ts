import { createPublicKey } from 'node:crypto'
import { rsaKeyOf } from '../soft/keys.ts'
import { openCredential, seedOf } from '../soft/open-credential.ts'
import type { Manufacturer } from '../swtpm/manufacturer.ts'
import type { EndorsementKey } from '../swtpm/provision.ts'
import { EK_HANDLE } from '../swtpm/provision.ts'
import { EK_RSA2048 } from '../swtpm/templates.ts'
import { nameOf, spkiOf } from '../tpm/public.ts'
import { tpm2bPublic } from './soft-attester.ts'

/** An endorsement key outside any TPM. */
export interface SoftEndorsementKey extends EndorsementKey {
  /** Opens a credential file of tpm2-tools for this key and the object with that Name. */
  open(blob: Uint8Array, name: Uint8Array): Uint8Array
  /** Decrypts the seed of a credential file. */
  seedOf(blob: Uint8Array): Uint8Array
}

const certified = new WeakMap<Manufacturer, Map<string, Promise<SoftEndorsementKey>>>()

/** Returns the endorsement key derived from a label, certified by this manufacturer; cached. */
export function softEndorsementKey(
  label: string,
  manufacturer: Manufacturer,
): Promise<SoftEndorsementKey> {
  const keys = certified.get(manufacturer) ?? new Map<string, Promise<SoftEndorsementKey>>()
  certified.set(manufacturer, keys)
  const key = keys.get(label) ?? makeKey(label, manufacturer)
  keys.set(label, key)
  return key
}

async function makeKey(label: string, manufacturer: Manufacturer): Promise<SoftEndorsementKey> {
  const key = rsaKeyOf(label)
  const { n = '' } = createPublicKey(key).export({ format: 'jwk' })
  const area = { ...EK_RSA2048, unique: new Uint8Array(Buffer.from(n, 'base64url')) }
  const publicArea = tpm2bPublic(area)
  return {
    handle: EK_HANDLE,
    public: publicArea,
    name: nameOf(publicArea),
    certificate: await manufacturer.certifyEk(spkiOf(area)),
    open: (blob, name) => openCredential(blob, key, name),
    seedOf: (blob) => seedOf(blob, key),
  }
}
