import type { KeyObject } from 'node:crypto'
import { toHex } from '../../../bytes/hex.ts'
import { claimOf, type SignatureClaim } from '../file-signature.ts'
import type { ImaContent } from '../list/fields.ts'
import { signedDigest } from '../verify-digest.ts'
import { NO_KEYS, type VerificationKeys, withKey } from './verification-keys.ts'

/** Whether a file has a signature by a trusted key. */
type SignatureVerdict =
  | { readonly kind: 'good' }
  /** a trusted key has the id that the signature names, and did not make it */
  | { readonly kind: 'bad'; readonly why: string }
  /** no trusted key could check it */
  | { readonly kind: 'unknown'; readonly why: string }

const GOOD: SignatureVerdict = { kind: 'good' }

/** Most work on the signatures of one list, in RSA operations; one of ECDSA costs that of many. */
const MAX_WORK = 200_000
const EC_WORK = 40

/** Most keys that a list may teach. */
const MAX_LEARNED = 100

/**
 * The trusted keys for file signatures during the evaluation of one list: the given keys, and those learned from the list, from any keyring.
 * A signature that is met again is not verified again, and after {@link MAX_WORK} none is: the policy decides then.
 */
export class TrustedSigners {
  #keys: VerificationKeys
  #learned = 0
  #work = 0
  readonly #maxWork: number
  readonly #known = new Map<string, boolean>()

  constructor(keys: VerificationKeys = NO_KEYS, maxWork = MAX_WORK) {
    this.#keys = keys
    this.#maxWork = maxWork
  }

  /** work spent on public-key operations, in those of RSA */
  get work(): number {
    return this.#work
  }

  /** @returns whether the key is new and was added: their number is limited */
  learn(id: number, key: KeyObject): boolean {
    const keys = withKey(this.#keys, id, key)
    if (keys === this.#keys || this.#learned === MAX_LEARNED) return false
    this.#keys = keys
    this.#learned += 1
    this.#known.clear()
    return true
  }

  verify(content: ImaContent, signature: Uint8Array): SignatureVerdict {
    if (this.#keys.size === 0) return { kind: 'unknown', why: 'no key is trusted' }
    const claim = claimOf(content, signature)
    if (typeof claim === 'string') return { kind: 'unknown', why: claim }
    const keys = this.#keys.get(claim.keyId)
    const id = claim.keyId.toString(16).padStart(8, '0')
    if (!keys) return { kind: 'unknown', why: `no key with the id ${id} is trusted` }
    const signed = this.#isSigned(keys, claim)
    if (signed === undefined) return { kind: 'unknown', why: 'too many signatures in one list' }
    return signed ? GOOD : { kind: 'bad', why: `the key ${id} did not sign this digest` }
  }

  #isSigned(keys: readonly KeyObject[], claim: SignatureClaim): boolean | undefined {
    const memo = `${claim.keyId} ${claim.hash.name} ${toHex(claim.digest)} ${toHex(claim.sig)}`
    const known = this.#known.get(memo)
    if (known !== undefined) return known
    const work = keys.reduce((sum, key) => sum + workOf(key), 0)
    if (this.#work + work > this.#maxWork) return undefined
    this.#work += work
    const signed = keys.some((key) => signedDigest(key, claim))
    this.#known.set(memo, signed)
    return signed
  }
}

function workOf({ asymmetricKeyType }: KeyObject): number {
  return asymmetricKeyType === 'rsa' ? 1 : EC_WORK
}
