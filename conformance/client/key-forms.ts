import { createPublicKey } from 'node:crypto'
import type { KeyForms } from '../../simulator/agents/key-forms.ts'
import { showMember } from '../attempt/check.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import { type Reply, results } from '../attempt/reply.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** The encodings that a dialect chooses. */
export function keyFormsOf(dialect: Dialect): KeyForms {
  return {
    padding: dialect['bootstrap-padding'],
    derivation: dialect['bootstrap-derivation'],
    tag: dialect['ukey-tag'],
    proof: dialect['verify-hmac'],
  }
}

/** The public key of a reply of keys/pubkey. @throws {PrerequisiteFailed} if it has none that encrypts V and U */
export function publicKeyIn(reply: Reply): string {
  const pubkey = results(reply, 'pubkey')
  if (typeof pubkey === 'string' && encrypts(pubkey)) return pubkey
  throw new PrerequisiteFailed({
    ...{ requirement: 'AGT-PUBKEY-PEM', what: '`pubkey` of keys/pubkey' },
    ...{ expected: 'a public RSA key in PEM', received: showMember(pubkey, reply) },
  })
}

/** Bits of the smallest RSA key whose blocks hold a half of K with its padding. */
const LEAST_BITS = 1024

function encrypts(pem: string): boolean {
  if (!pem.includes('PUBLIC KEY')) return false
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_BITS
  } catch {
    return false
  }
}
