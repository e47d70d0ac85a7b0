import { digest } from '../../tpm/hash.ts'
import { cat, fromHex, text } from '../../tpm/write.ts'
import { signatureData, signatureList } from '../event-data.ts'
import { GUIDS } from '../guid.ts'
import type { SecureBootVariables } from './profile.ts'

/** Owner of the signatures in the databases of the scripted machines. */
export const OWNER = '77fa9abd-0359-4d32-bd60-28f4e78f784b'

/** Placeholder for a certificate: it is never used to verify, and its bytes are derived from its name. */
function certificateNamed(name: string): Uint8Array {
  const body = Uint8Array.of(...digest('sha512', text(name)), ...text(name))
  return cat(Uint8Array.of(0x30, 0x82, 0, body.length), body)
}

function certificates(...names: readonly string[]): Uint8Array {
  const lists = names.map((name) =>
    signatureList({
      ...{ type: GUIDS.certX509, owner: OWNER },
      signatures: [certificateNamed(name)],
    }),
  )
  return cat(...lists)
}

/** Images in the dbx. */
const FORBIDDEN = [
  '80b4d96931bf0d02fd91a61e19d14f1da452e66db2408ca8604d411f92659f0a',
  'f52f83a3fa9cfbd6920f722824dbe4034534d25b8507246b3b957dac6e1bce7a',
]

/** Secure Boot enabled, with typical factory databases. */
export const SECURE: SecureBootVariables = {
  SecureBoot: Uint8Array.of(1),
  PK: certificates('platform key'),
  KEK: certificates('key exchange key', 'second key exchange key'),
  db: certificates('operating systems', 'third parties'),
  dbx: signatureList({
    ...{ type: GUIDS.certSha256, owner: OWNER },
    signatures: FORBIDDEN.map(fromHex),
  }),
}

/** The database signature that authorized the first image. */
export const AUTHORITY = signatureData(OWNER, certificateNamed('third parties'))
