import { createPublicKey, type KeyObject } from 'node:crypto'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { TpmError } from '../../../simulator/tpm/command.ts'
import { TPM_ALG } from '../../../simulator/tpm/constants.ts'
import { parseTpm2bPublic, pemOf } from '../../../simulator/tpm/public.ts'
import { parseSignature } from '../../../simulator/tpm/signature.ts'
import type { Tpm } from '../../../simulator/tpm/tpm.ts'
import { algorithmOf, isSignature, KEY_TYPES } from '../kit/envelope.ts'
import type { OpenTpm } from './open-tpm.ts'
import type { Signer } from './signer.ts'

/** TPMA_OBJECT: the key signs only what its TPM has hashed or made. */
const RESTRICTED = 1 << 16

/**
 * A signer with the key at a persistent handle of a TPM, such as an attestation key. The TPM hashes the message, so that a
 * restricted key may sign it. It is opened for each use, since the runs lie between. Throws `SetupFault` if there is no such
 * key, or if it does not sign.
 */
export async function tpmSigner(open: () => Promise<OpenTpm>, handle: number): Promise<Signer> {
  const name = `0x${handle.toString(16)}`
  const found = await using(open, `the TPM has no key at ${name}`, (tpm) => tpm.readPublic(handle))
  const area = parseTpm2bPublic(found.public)
  const publicKey = createPublicKey(pemOf(area))
  const algorithm = algorithmOf(publicKey)
  if (algorithm === undefined)
    throw new SetupFault(`the key at ${name} is none that certificates are signed with`, {
      next: `give the handle of a key of ${KEY_TYPES}`,
    })
  const hashAlg = algorithm.hash === 'sha384' ? TPM_ALG.SHA384 : TPM_ALG.SHA256
  const alg = area.type === 'rsa' ? TPM_ALG.RSASSA : TPM_ALG.ECDSA
  const kind = (area.objectAttributes & RESTRICTED) === 0 ? 'key' : 'restricted key'
  const signer: Signer = {
    publicKey,
    how: `${algorithm.name}, ${kind} of a TPM, which hashed the message itself`,
    async sign(message) {
      const signature = await using(open, `the key at ${name} does not sign`, async (tpm) => {
        const { digest, ticket } = await tpm.hashSequence({ hashAlg, message })
        const scheme = { alg, hash: hashAlg }
        return tpm.sign({ keyHandle: handle, digest, ticket, scheme })
      })
      return checked(message, signature, publicKey)
    },
  }
  await signer.sign(PROBE)
  return signer
}

/** Signed first, so that a key that cannot sign is refused before the runs. */
const PROBE = Buffer.from('assay certify')

const NEXT =
  'give the persistent handle of a signing key with an empty password: RSASSA or ECDSA P-256 with SHA-256, or P-384 with SHA-384'

async function using<T>(
  open: () => Promise<OpenTpm>,
  sentence: string,
  work: (tpm: Tpm) => Promise<T>,
): Promise<T> {
  const { tpm, close } = await open()
  try {
    return await work(tpm)
  } catch (cause) {
    if (!(cause instanceof TpmError)) throw cause
    throw new SetupFault(`${sentence}: ${cause.message}`, { next: NEXT, cause })
  } finally {
    await close()
  }
}

/** The signature as DSSE has it, if the key made it. */
function checked(message: Uint8Array, signature: Uint8Array, key: KeyObject): Uint8Array {
  const parsed = parseSignature(signature)
  const bytes =
    parsed.kind === 'ecc'
      ? derOf(parsed.r, parsed.s)
      : parsed.kind === 'rsa'
        ? parsed.sig
        : undefined
  if (bytes !== undefined && isSignature(message, bytes, key)) return bytes
  throw new SetupFault('the TPM made a signature that is not valid', { next: NEXT })
}

/** Ecdsa-Sig-Value: SEQUENCE of two INTEGERs (RFC 3279). */
function derOf(...numbers: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(numbers.map(integer))
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}

function integer(value: Uint8Array): Uint8Array {
  const first = value.findIndex((byte) => byte !== 0)
  const digits = value.subarray(first)
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : []
  return Buffer.of(0x02, digits.length + sign.length, ...sign, ...digits)
}
