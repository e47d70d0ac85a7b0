import type { Transmit } from '../tpm/command.ts'
import { nvDefineSpace, nvRead, nvUndefineSpace, nvWrite } from '../tpm/commands/nv.ts'
import {
  createPrimary,
  evictControl,
  flushContext,
  readPublicArea,
  type TpmObject,
} from '../tpm/commands/objects.ts'
import { TPM_RH, TPMA_NV } from '../tpm/constants.ts'
import { parseTpm2bPublic, spkiOf, type TPMT_PUBLIC } from '../tpm/public.ts'
import type { Manufacturer } from './manufacturer.ts'
import { EK_RSA2048 } from './templates.ts'

/** Handle of a manufactured RSA-2048 endorsement key (TCG Provisioning Guidance, 7.8). */
export const EK_HANDLE = 0x81010001
/** Handle of the first attestation key; further ones follow. */
export const AK_HANDLE = 0x81010002
/** NV index of the certificate of the low-range RSA-2048 endorsement key (TCG EK Credential Profile, 2.2.1.4). */
const EK_CERTIFICATE_INDEX = 0x01c00002

/** The attributes that swtpm's own setup gives this index: written at manufacture, readable without restriction. */
const EK_CERTIFICATE_ATTRIBUTES =
  TPMA_NV.PLATFORMCREATE |
  TPMA_NV.NO_DA |
  TPMA_NV.AUTHREAD |
  TPMA_NV.OWNERREAD |
  TPMA_NV.PPREAD |
  TPMA_NV.WRITEDEFINE |
  TPMA_NV.PPWRITE

/** Creates a primary key of the endorsement hierarchy at a persistent handle. */
export async function makePersistentKey(
  transmit: Transmit,
  template: TPMT_PUBLIC,
  persistent: number,
): Promise<TpmObject> {
  const made = await createPrimary(transmit, TPM_RH.ENDORSEMENT, template)
  await evictControl(transmit, made.handle, persistent)
  await flushContext(transmit, made.handle)
  return { ...made, handle: persistent }
}

/** A manufactured endorsement key. */
export interface EndorsementKey {
  readonly handle: number
  /** TPM2B_PUBLIC, with its size. */
  readonly public: Uint8Array
  readonly name: Uint8Array
  /** DER, as read back from NV. */
  readonly certificate: Uint8Array
}

/** Returns the endorsement key that the manufacturer gave a TPM. Rejects with TpmError if there is none. */
export async function findEndorsementKey(transmit: Transmit): Promise<EndorsementKey> {
  const key = await readPublicArea(transmit, EK_HANDLE)
  return { ...key, certificate: await nvRead(transmit, EK_CERTIFICATE_INDEX) }
}

/**
 * Performs the steps of a manufacturer: creates an endorsement key and writes its certificate into NV. Returns the
 * certificate as read back.
 */
export async function manufacture(
  transmit: Transmit,
  manufacturer: Manufacturer,
): Promise<EndorsementKey> {
  const key = await makePersistentKey(transmit, EK_RSA2048, EK_HANDLE)
  return certify(transmit, manufacturer, key)
}

/** Replaces the certificate of a manufactured endorsement key by one of this manufacturer. */
export async function certifyAnew(
  transmit: Transmit,
  manufacturer: Manufacturer,
): Promise<EndorsementKey> {
  const key = await readPublicArea(transmit, EK_HANDLE)
  await nvUndefineSpace(transmit, EK_CERTIFICATE_INDEX)
  return certify(transmit, manufacturer, key)
}

async function certify(
  transmit: Transmit,
  manufacturer: Manufacturer,
  key: TpmObject,
): Promise<EndorsementKey> {
  const certificate = await manufacturer.certifyEk(spkiOf(parseTpm2bPublic(key.public)))
  await storeCertificate(transmit, certificate, certificate.length)
  return { ...key, certificate: await nvRead(transmit, EK_CERTIFICATE_INDEX) }
}

/** Moves the certificate of a manufactured endorsement key to an NV index with `spare` further bytes, which stay unwritten. */
export async function enlargeCertificateIndex(
  transmit: Transmit,
  { certificate }: Pick<EndorsementKey, 'certificate'>,
  spare: number,
): Promise<void> {
  await nvUndefineSpace(transmit, EK_CERTIFICATE_INDEX)
  await storeCertificate(transmit, certificate, certificate.length + spare)
}

async function storeCertificate(
  transmit: Transmit,
  certificate: Uint8Array,
  dataSize: number,
): Promise<void> {
  const attributes = EK_CERTIFICATE_ATTRIBUTES
  await nvDefineSpace(transmit, { nvIndex: EK_CERTIFICATE_INDEX, attributes, dataSize })
  await nvWrite(transmit, EK_CERTIFICATE_INDEX, certificate)
}
