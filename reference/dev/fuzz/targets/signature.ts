import type { KeyObject } from 'node:crypto'
import { equalBytes } from '../../../bytes/equal.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { checkAttestationKey } from '../../../tpm/check-attestation-key.ts'
import { decode, encode } from '../../../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../../../tpm/public.ts'
import { publicKeyOf } from '../../../tpm/public-key.ts'
import { type Signature, TPMT_SIGNATURE } from '../../../tpm/signature.ts'
import { UnsupportedKey } from '../../../tpm/unsupported-key.ts'
import { type Verification, verifySignature } from '../../../tpm/verify-signature.ts'
import { HONEST_QUOTES, SOFT_KEYS } from '../machines.ts'
import { modelKey, modelSignature, modelVerifies } from '../models/signature-model.ts'
import { mutateSignatureRun, type SignatureRun } from '../mutators/signature.ts'
import { plain } from '../says.ts'
import type { Judgement, Target } from '../target.ts'

/** The code under test; a mutant takes its place in tests. */
export type VerifySignature = (
  key: KeyObject,
  signature: Signature,
  message: Uint8Array,
) => Verification

const HONEST: readonly SignatureRun[] = [
  ...HONEST_QUOTES.map(({ attestationKey, message, signature }) => {
    return { key: attestationKey, message, signature }
  }),
  ...SOFT_KEYS.map((key) => {
    const message = new Uint8Array(Buffer.from('a message that is no structure'))
    return { key: key.tpm2bPublic, message, signature: key.sign(message) }
  }),
].map((run, of) => ({ of, ...run }))

/** Signatures and the keys they are said to come from. */
export function signatureTarget(verify: VerifySignature = verifySignature): Target<SignatureRun> {
  return {
    name: 'signature',
    honest: HONEST,
    mutate: mutateSignatureRun,
    judge: (run) => judge(run, verify),
  }
}

function judge(run: SignatureRun, verify: VerifySignature): Judgement {
  try {
    const signature = decode(TPMT_SIGNATURE, run.signature)
    if (!equalBytes(encode(TPMT_SIGNATURE, signature), run.signature))
      return { verdict: 'refused', says: [], changed: 'TPMT_SIGNATURE is written in another way' }
    const { key, changed } = readKey(run.key)
    const outcome = verify(key, signature, run.message)
    if (!outcome.ok)
      return { verdict: 'fail', says: [`signature: ${plain(outcome.why)}`], ...changed }
    const mustNotPass = whyNot(run)
    return { verdict: 'pass', says: [], ...changed, ...(mustNotPass && { mustNotPass }) }
  } catch (error) {
    if (error instanceof WireError || error instanceof UnsupportedKey)
      return { verdict: 'refused', says: [`${error.name}: ${plain(error.message)}`] }
    throw error
  }
}

interface ReadKey {
  readonly key: KeyObject
  readonly changed: Pick<Judgement, 'changed'>
}

/** Keys by their bytes' identity: what was not mutated is the same array, and importing a key is slow. */
const keys = new WeakMap<Uint8Array, ReadKey>()

function readKey(bytes: Uint8Array): ReadKey {
  const known = keys.get(bytes)
  if (known) return known
  const area = decode(TPM2B_PUBLIC, bytes)
  const same = equalBytes(encode(TPM2B_PUBLIC, area), bytes)
  const changed = same ? {} : { changed: 'TPM2B_PUBLIC is written in another way' }
  // Its findings are not a verdict on a signature; that it comes to an end is what matters here.
  checkAttestationKey(bytes)
  const read = { key: publicKeyOf(area.contents), changed }
  keys.set(bytes, read)
  return read
}

function whyNot({ key: bytes, signature: signed, message }: SignatureRun): string | undefined {
  const key = modelKey(bytes)
  const signature = modelSignature(signed)
  if (!signature) return 'the bytes are no TPMT_SIGNATURE'
  // A symmetric cipher or a key derivation in the key is nothing the model reads.
  if (!key) return undefined
  return modelVerifies(key, signature, message)
    ? undefined
    : 'the signature is not good for the message'
}
