import { deflateSync } from 'node:zlib'
import type { Attesting } from '../../simulator/machine/attesting.ts'
import { digest } from '../../simulator/tpm/hash.ts'
import { cat } from '../../simulator/tpm/write.ts'
import { openBlob } from '../client/agents/credential-blob.ts'
import { expectSuccess } from '../client/agents/expect-success.ts'
import { type MutateAttest, withMutatedAttest } from '../client/agents/with-mutated-attest.ts'
import { authTag, base64 } from '../client/bytes.ts'
import type { RegistrarClient } from '../client/registrar-client.ts'
import type { Context } from '../scenario.ts'

/** TPMS_ATTEST, TPMT_SIGNATURE and PCR blob of a quote. */
type Parts = readonly [message: Uint8Array, signature: Uint8Array, blob: Uint8Array]

/** One of the two quotes of a deep quote. */
interface QuoteRecipe {
  readonly machine: Attesting
  /** Mutates the structure before it is signed. */
  readonly attest?: MutateAttest | undefined
  /** Mutates the parts after they were signed. */
  readonly parts?: ((parts: Parts) => Parts) | undefined
}

/** What a deep quote is made of (docs/deep-quotes.md). */
export interface DeepQuoteRecipe {
  readonly guest: QuoteRecipe
  readonly host: QuoteRecipe
  /** extraData of the guest's quote. */
  readonly nonce: Uint8Array
  /** extraData of the host's quote, from the guest's TPMS_ATTEST. Default: its SHA-256. */
  readonly binding?: ((message: Uint8Array) => Uint8Array) | undefined
  readonly letter?: string
  /** Moves, adds or removes parts of the text. */
  readonly order?: ((parts: readonly string[]) => readonly string[]) | undefined
}

const PCRS = [0, 10]

/** The text of a deep quote; its parts are zlib streams in API 1.0. */
export async function deepQuote(recipe: DeepQuoteRecipe, version: string): Promise<string> {
  const { guest, host, nonce, binding = sha256, letter = 'd', order = (parts) => parts } = recipe
  const own = await quoteOf(guest, nonce)
  const below = await quoteOf(host, binding(own.message))
  const pack = (part: Uint8Array) => base64(version === '1.0' ? deflateSync(part) : part)
  const parts = [...own.parts, ...below.parts].map(pack)
  return `${letter}${order(parts).join(':')}`
}

/** extraData of the guest's quote when it activates: over the tag, and both registered keys as TPM2B_PUBLIC. */
export function activationNonce(tag: string, ak: Uint8Array, ek: Uint8Array): Uint8Array {
  return sha256(cat(new TextEncoder().encode(tag), ak, ek))
}

async function quoteOf(
  { machine, attest, parts = (same) => same }: QuoteRecipe,
  extra: Uint8Array,
) {
  const { message, signature, blob } = await withMutatedAttest(machine, attest, () =>
    machine.quote({ qualifyingData: extra, bank: 'sha256', pcrs: PCRS }),
  )
  return { message, parts: parts([message, signature, blob]) }
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return digest('sha256', bytes)
}

/** The keys of a host, and how its TPM opens a blob. */
type Host = Parameters<RegistrarClient['registrationOf']>[0] & Pick<Attesting, 'activateCredential'>

/** Registers a host at the provider's registrar, under the id of its guest, and activates it there. */
export async function registerHost(
  { registrar, verifier, cleanUp }: Pick<Context, 'registrar' | 'verifier' | 'cleanUp'>,
  guestId: string,
  host: Host,
  activates = true,
): Promise<void> {
  const provider = registrar.atProvider()
  const { dialect } = provider
  const registered = await provider.register(guestId, provider.registrationOf(host))
  cleanUp(() => provider.delete(guestId, verifier.admin))
  const registration = expectSuccess('registration', registered)
  const secret = await openBlob(registration, dialect, (blob) => host.activateCredential(blob))
  if (!activates) return
  const tag = authTag(secret, guestId, dialect)
  expectSuccess('activation', await provider.activate(guestId, tag))
}
