import { type ApiVersion, isWithin } from '../../api/versions.ts'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { TenantConfig } from '../../config/config.ts'
import type { Check } from '../../evidence/check.ts'
import { type BoundKeyCase, evaluateBoundKey, KEY_PCR } from '../../evidence/quote/bound-key.ts'
import { evaluateQuote } from '../../evidence/quote/quote.ts'
import type { QuoteCase, QuoteInput } from '../../evidence/quote/quote-case.ts'
import { type PartForm, parseQuoteString } from '../../evidence/quote/quote-string.ts'
import { readNodeKey } from './payload/bootstrap-keys.ts'

/** The identity reply of an agent. */
export interface Identity {
  readonly quote: string
  readonly hash_alg: string
  readonly enc_alg: string
  readonly sign_alg: string
  /** PEM, as received: the quote covers its digest */
  readonly pubkey: string
}

/** An answer and what it is checked against. */
interface IdentityCase {
  readonly identity: Identity
  readonly nonce: string
  /** base64 of a TPM2B_PUBLIC: the attestation key that the registrar knows */
  readonly aik_tpm: string
  readonly version: ApiVersion
  readonly accepted: Pick<
    TenantConfig,
    'accept_tpm_hash_algs' | 'accept_tpm_encryption_algs' | 'accept_tpm_signing_algs'
  >
  readonly quoteChecks: readonly Check<QuoteCase>[]
  readonly boundKeyChecks: readonly Check<BoundKeyCase>[]
}

/** One question asked of it; `problem` is a clause without a full stop. */
export interface IdentityCheck {
  readonly id: string
  readonly why: string
  problem(subject: IdentityCase): string | undefined
}

/** Checks of an identity before a secret is sent (ambiguity IDQUOTE), in the order of their reports. */
export const identityChecks: readonly IdentityCheck[] = [
  {
    id: 'identity.algorithms',
    why: 'an agent that chooses the algorithms chooses the weakest',
    problem: checkAlgorithms,
  },
  {
    id: 'identity.quote',
    why: 'an impostor does not have the TPM of the agent, or replays',
    problem: (subject) => evaluateAgentQuote(subject).problem,
  },
  {
    id: 'identity.key',
    why: 'a key that the TPM does not vouch for may belong to an attacker, who could decrypt the payload',
    problem: checkBoundKey,
  },
  {
    id: 'identity.key-kind',
    why: 'an attacker can recover a half of the key from under a weak key',
    problem: ({ identity }) =>
      readNodeKey(identity.pubkey) === undefined
        ? 'its public key is no RSA key of 2048 bits or more in PEM'
        : undefined,
  },
]

/** The generic names of API 2.4 and before stand for these. */
const GENERIC: ReadonlyMap<string, string> = new Map([
  ['rsa', 'rsa2048'],
  ['ecc', 'ecc256'],
])

const explicit = (name: string) => GENERIC.get(name) ?? name

function checkAlgorithms({ identity, accepted }: IdentityCase): string | undefined {
  const rows = [
    ['hash_alg', identity.hash_alg, accepted.accept_tpm_hash_algs],
    ['enc_alg', identity.enc_alg, accepted.accept_tpm_encryption_algs],
    ['sign_alg', identity.sign_alg, accepted.accept_tpm_signing_algs],
  ] as const
  const bad = rows.find(([, name, list]) => !list.map(explicit).includes(explicit(name)))
  return bad && `its ${bad[0]} ${JSON.stringify(bad[1])} is not one of ${bad[2].join(', ')}`
}

/** 1.0 agents compress the parts of a quote. */
const FORMS = [
  { form: 'zlib', until: '1.0' },
  { form: 'plain', since: '2.0' },
] as const satisfies readonly { form: PartForm; since?: ApiVersion; until?: ApiVersion }[]

function quoteInput({ identity, nonce, aik_tpm, version, accepted }: IdentityCase): QuoteInput {
  const form = FORMS.find((row) => isWithin(version, row))?.form
  const { message, signature, pcrBlob } = parseQuoteString(identity.quote, form)
  return {
    attestationKey: fromBase64(aik_tpm, 'aik_tpm'),
    nonce: new TextEncoder().encode(nonce),
    hashAlgorithm: identity.hash_alg,
    signatureScheme: identity.sign_alg,
    acceptedHashes: accepted.accept_tpm_hash_algs,
    acceptedSchemes: accepted.accept_tpm_signing_algs,
    acceptedKeys: accepted.accept_tpm_encryption_algs,
    requestedPcrs: { bank: identity.hash_alg, pcrs: [KEY_PCR] },
    quote: { message, signature, claimed: { form: 'blob', bytes: pcrBlob } },
  }
}

type EvaluatedQuote = Pick<ReturnType<typeof evaluateQuote>, 'verified'> & {
  readonly problem: string | undefined
}

function evaluateAgentQuote(subject: IdentityCase): EvaluatedQuote {
  try {
    const { findings, verified } = evaluateQuote(quoteInput(subject), subject.quoteChecks)
    const problem = findings[0]?.context.message
    return { problem, ...(verified && { verified }) }
  } catch (error) {
    if (error instanceof WireError) return { problem: error.message }
    throw error
  }
}

function checkBoundKey(subject: IdentityCase): string | undefined {
  const { identity, boundKeyChecks } = subject
  const { verified } = evaluateAgentQuote(subject)
  // The check of the quote reports what the quote does not prove.
  if (verified === undefined) return undefined
  const [found] = evaluateBoundKey(identity.pubkey, verified, identity.hash_alg, boundKeyChecks)
  return found?.context.message
}
