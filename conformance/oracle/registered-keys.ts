import { createPublicKey, X509Certificate } from 'node:crypto'
import { parseTpm2bPublic, spkiOf, type TPMT_PUBLIC } from '../../simulator/tpm/public.ts'
import { equal } from '../../simulator/tpm/write.ts'
import type { Check } from '../attempt/check.ts'
import { unbase64 } from '../client/bytes.ts'
import type { PullAgent } from '../peers/pull-agent.ts'
import { isBase64 } from './read-quote.ts'

/** Attributes of an attestation key: TPMA_OBJECT (TPM 2.0 Part 2, 8.3). */
const ATTRIBUTES = {
  fixedTPM: 1 << 1,
  fixedParent: 1 << 4,
  sensitiveDataOrigin: 1 << 5,
  restricted: 1 << 16,
  sign: 1 << 18,
} as const
const DECRYPT = 1 << 17

/** Bytes of the size of a TPM2B_PUBLIC. */
const SIZE_BYTES = 2

/** Checks that the registered endorsement key (`ekcert`, `ek_tpm`, or both) is the one of the machine's TPM. */
export function checkEndorsement(
  check: Check,
  requirement: string,
  agent: Pick<PullAgent, 'machine' | 'registration'>,
): void {
  const { ekcert, ek_tpm: ekTpm } = agent.registration.body
  const own = spkiOf(parseTpm2bPublic(agent.machine.ek.public))
  const [ofCertificate, ofArea] = [keyOfCertificate(ekcert), keyOfPublicArea(ekTpm)]
  const registered = [ofCertificate, ofArea].filter((key) => key !== undefined)
  if (typeof ekcert === 'string' && ekcert !== '')
    check(requirement, 'whether ekcert is a certificate')
      .of(ofCertificate !== undefined)
      .is(true)
  check(requirement, 'bytes after the certificate in ekcert').of(bytesAfter(ekcert)).is(0)
  if (ekTpm !== undefined && ekTpm !== null && ekTpm !== '')
    check(requirement, 'whether ek_tpm is a TPM2B_PUBLIC')
      .of(ofArea !== undefined)
      .is(true)
  check(requirement, 'forms of an endorsement key')
    .of(registered.length)
    .matches('one, or two', (count) => count > 0)
  check(requirement, "keys that are not the TPM's own")
    .of(registered.filter((key) => !equal(key, own)).length)
    .is(0)
}

function keyOfCertificate(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  const encoded = text.startsWith('-----BEGIN') ? text : unbase64(text)
  const key = attempt(() => new X509Certificate(encoded).publicKey)
  return key && new Uint8Array(key.export({ type: 'spki', format: 'der' }))
}

/** The bytes that follow the certificate in a text of base64; none in PEM, and after no certificate. */
function bytesAfter(text: unknown): number {
  if (typeof text !== 'string' || text === '' || text.startsWith('-----BEGIN')) return 0
  const encoded = unbase64(text)
  const certificate = attempt(() => new X509Certificate(encoded))
  return certificate === undefined ? 0 : encoded.length - certificate.raw.length
}

function keyOfPublicArea(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !isBase64(text)) return undefined
  return attempt(() => spkiOf(parseTpm2bPublic(unbase64(text))))
}

/** Checks that `aik_tpm` is the TPM2B_PUBLIC of a restricted signing key. */
export function checkAttestationKey(check: Check, requirement: string, aikTpm: unknown): void {
  const isText = typeof aikTpm === 'string' && isBase64(aikTpm)
  const area = isText ? attempt(() => parseTpm2bPublic(unbase64(aikTpm))) : undefined
  check(requirement, 'aik_tpm is a TPM2B_PUBLIC')
    .of(area !== undefined)
    .is(true)
  if (area === undefined) return
  const bytes = Buffer.from(String(aikTpm), 'base64')
  check(requirement, 'bytes after it')
    .of(bytes.length - SIZE_BYTES - bytes.readUInt16BE())
    .is(0)
  check(requirement, 'attributes that it lacks').of(lackingAttributes(area)).is([])
  check(requirement, 'whether it decrypts')
    .of((area.objectAttributes & DECRYPT) !== 0)
    .is(false)
  const key = attempt(() =>
    createPublicKey({ key: Buffer.from(spkiOf(area)), format: 'der', type: 'spki' }),
  )
  check(requirement, 'whether it is a public key')
    .of(key !== undefined)
    .is(true)
}

function lackingAttributes({ objectAttributes }: Pick<TPMT_PUBLIC, 'objectAttributes'>): string[] {
  return Object.entries(ATTRIBUTES).flatMap(([name, bit]) =>
    (objectAttributes & bit) === 0 ? [name] : [],
  )
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
