import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  type CertificateParts,
  extension,
  hex,
  IDS,
  sequence,
  writeCertificate,
} from './write-certificate.ts'

/** A key of an authority that is made for a test. */
function makeKey(): { readonly privateKey: KeyObject; readonly spki: Uint8Array } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, spki: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' })) }
}

export const MAKER = makeKey()
export const EK = makeKey()

/** Extensions of an ordinary EK certificate, by name. */
const ORDINARY = {
  usages: extension(IDS.usages, sequence(hex('06056781050801'))),
  constraints: extension(IDS.constraints, sequence(), true),
  keyUsage: extension(IDS.keyUsage, hex('03020308'), true),
} as const

/** A good EK certificate of the maker, with the given changes. */
export function ekCertificateWith(
  change: Partial<CertificateParts> & {
    readonly instead?: Partial<Record<keyof typeof ORDINARY, Uint8Array>>
    readonly besides?: readonly Uint8Array[]
  } = {},
): Uint8Array {
  const { instead, besides = [], ...parts } = change
  const extensions = [...Object.values({ ...ORDINARY, ...instead }), ...besides]
  return writeCertificate(EK.spki, MAKER.privateKey, { extensions, ...parts })
}
