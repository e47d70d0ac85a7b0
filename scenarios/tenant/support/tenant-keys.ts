import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { base64, unbase64 } from '../../../conformance/client/bytes.ts'
import type { TenantStage } from '../../../conformance/peers/tenants.ts'
import { outside } from '../../../conformance/recording/outside.ts'
import { makeServerCertificate } from '../../../simulator/agents/server-certificate.ts'
import { newEcPair } from '../../../simulator/soft/new-key-pair.ts'
import { TPM_ALG, TPM_ECC } from '../../../simulator/tpm/constants.ts'
import { parseTpm2bPublic, writePublic } from '../../../simulator/tpm/public.ts'
import { tpm2b } from '../../../simulator/tpm/write.ts'

/** An attestation key on P-384, whose base64 ends with padding, with the attributes of another one. */
export function keyLike(aikTpm: unknown): string {
  const { nameAlg, objectAttributes, authPolicy } = parseTpm2bPublic(unbase64(String(aikTpm)))
  const { publicKey } = outside(() => newEcPair('secp384r1'))
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64url'))
  const key = {
    type: 'ecc',
    ...{ nameAlg, objectAttributes, authPolicy, symmetric: { alg: TPM_ALG.NULL } },
    scheme: { alg: TPM_ALG.ECDSA, hash: TPM_ALG.SHA384 },
    ...{ curve: TPM_ECC.NIST_P384, kdf: { alg: TPM_ALG.NULL } },
    ...{ x: coordinate(x), y: coordinate(y) },
  } as const
  return base64(tpm2b(writePublic(key)))
}

/** A server certificate of an agent, with its key. */
export function newServerCertificate(agentId: string) {
  return outside(() => makeServerCertificate(agentId, Date.now()))
}

/** The path of a directory that does not exist yet. */
export function newDirectory(stage: TenantStage): string {
  return join(dirname(stage.file('beside', '')), 'authority')
}

/** Serial numbers of the CA certificates in a directory, in hexadecimal and in decimal. */
export function authoritiesIn(directory: string): readonly string[] {
  return certificatesIn(directory)
    .filter(({ ca }) => ca)
    .flatMap(serialsOf)
}

/**
 * Subjects of the certificates in a directory that have this serial number and none of these names. Looks only at those
 * that the CA in the directory has issued; empty if it has several, as each CA has serial numbers of its own.
 */
export function othersWithSerial(
  directory: string,
  own: { readonly serial: string; readonly names: readonly string[] },
): readonly string[] {
  const all = certificatesIn(directory)
  const [authority, ...more] = new Set(all.flatMap(({ ca, subject }) => (ca ? [subject] : [])))
  if (more.length > 0) return []
  const isOwn = (name: string) => own.names.some((one) => one.includes(name))
  return all
    .filter((one) => one.issuer === authority && serialsOf(one).includes(own.serial.toUpperCase()))
    .map(({ subject }) => subject)
    .filter((subject) => !isOwn(commonNameIn(subject)))
}

function certificatesIn(directory: string): readonly X509Certificate[] {
  return outside(() =>
    readdirSync(directory)
      .map((name) => readFileSync(join(directory, name), 'utf8'))
      .filter((text) => text.includes('BEGIN CERTIFICATE'))
      .map((text) => new X509Certificate(text)),
  )
}

const serialsOf = ({ serialNumber }: X509Certificate) => [
  serialNumber,
  String(BigInt(`0x${serialNumber}`)),
]

const commonNameIn = (subject: string) => /^CN=(.*)$/m.exec(subject)?.[1] ?? ''
