import { createPublicKey, KeyObject, sign, webcrypto } from 'node:crypto'
import { fromBase64, toBase64 } from '../../../bytes/base64.ts'
import { TPM_GENERATED_VALUE, TPM_ST_ATTEST_CERTIFY, TPMS_ATTEST } from '../../../tpm/attest.ts'
import { type Decoded, decode, encode } from '../../../tpm/codec.ts'
import { nameOf } from '../../../tpm/name.ts'
import { TPM2B_PUBLIC, TPMA_OBJECT } from '../../../tpm/public.ts'
import { TPMT_SIGNATURE } from '../../../tpm/signature.ts'
import { AGENT, REGISTRATION } from '../test-registrar.ts'
import { type Issued, issue } from './issue-certificate.ts'
import { KEYS } from './recorded-keys.ts'

type Attest = Decoded<typeof TPMS_ATTEST>
const TPM_ALG_SHA256 = 0x000b

/** A key of a device outside of any TPM, with its certificate. */
interface DeviceKey {
  readonly area: Uint8Array
  readonly certificate: string
  readonly secret: KeyObject
}

/** A device whose IAK certifies any structure. */
interface Device {
  readonly iak: DeviceKey
  readonly idevid: DeviceKey
  /** The members of a registration by this device; the certified structure may be mutated before it is signed. */
  members(mutate?: (attest: Attest) => Attest): Readonly<Record<string, string>>
}

export async function makeDevice(maker: Issued): Promise<Device> {
  const iak = await makeKey(maker, 'IAK', 0)
  const idevid = await makeKey(maker, 'IDevID', TPMA_OBJECT.restricted)
  return { iak, idevid, members: (mutate = (attest) => attest) => membersOf(iak, idevid, mutate) }
}

async function makeKey(maker: Issued, name: string, without: number): Promise<DeviceKey> {
  const { keys, der } = await issue({ name, by: maker, ca: false })
  const publicKey = createPublicKey({
    key: Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey)),
    format: 'der',
    type: 'spki',
  })
  return {
    area: areaOf(publicKey, without),
    certificate: toBase64(der),
    secret: KeyObject.from(keys.privateKey),
  }
}

/** The area of the recorded AIK on P-256 around another point, without some attributes. */
function areaOf(key: KeyObject, without: number): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const { contents } = decode(TPM2B_PUBLIC, fromBase64(KEYS.akEcc256))
  const value = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  const objectAttributes = contents.objectAttributes & ~without
  return encode(TPM2B_PUBLIC, {
    bytes: new Uint8Array(),
    contents: { ...contents, objectAttributes, unique: { kind: 'ecc', value } },
  })
}

function membersOf(iak: DeviceKey, idevid: DeviceKey, mutate: (attest: Attest) => Attest) {
  const message = encode(TPMS_ATTEST, mutate(certificationOf(fromBase64(REGISTRATION.aik_tpm))))
  const raw = sign('sha256', message, { key: iak.secret, dsaEncoding: 'ieee-p1363' })
  const signature = encode(TPMT_SIGNATURE, {
    kind: 'ecdsa',
    value: {
      hash: TPM_ALG_SHA256,
      signatureR: raw.subarray(0, 32),
      signatureS: raw.subarray(32),
    },
  })
  return {
    iak_tpm: toBase64(iak.area),
    iak_cert: iak.certificate,
    idevid_tpm: toBase64(idevid.area),
    idevid_cert: idevid.certificate,
    iak_attest: toBase64(message),
    iak_sign: toBase64(signature),
  }
}

function certificationOf(aik: Uint8Array): Attest {
  const name = nameOf(aik)
  return {
    magic: TPM_GENERATED_VALUE,
    type: TPM_ST_ATTEST_CERTIFY,
    qualifiedSigner: name,
    extraData: Buffer.from(AGENT),
    clockInfo: { clock: 1n, resetCount: 1, restartCount: 1, safe: true },
    firmwareVersion: 1n,
    attested: { kind: 'certify', value: { name, qualifiedName: name } },
  }
}
