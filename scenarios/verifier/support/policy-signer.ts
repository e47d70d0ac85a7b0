import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { base64 } from '../../../conformance/client/bytes.ts'
import { outside } from '../../../conformance/recording/outside.ts'
import { makeAuthority } from '../../../simulator/x509/factory.ts'

/** Signs runtime policies, with SHA-256 unless the key is an Ed25519 one. */
interface PolicySigner {
  /** `runtime_policy_key`: base64 of the public key in PEM. */
  readonly key: string
  /** `runtime_policy_sig` of a policy: base64 of a detached signature in DER. */
  detached(policy: string): string
  /** The policy in a Dead Simple Signing Envelope, JSON in a string. */
  envelope(policy: string): string
}

const TYPE = 'application/vnd.keylime+json'

/**
 * The bytes that an envelope's signature covers: type and payload, each after its length, so that their boundary is
 * unambiguous.
 */
function enveloped(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} `), payload])
}

type Kind = 'ec' | 'rsa' | 'ed25519'

function newKeys(kind: Kind) {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519')
  return kind === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** Creates a signer with a new key, by default on P-256. */
export function makePolicySigner(kind: Kind = 'ec'): PolicySigner {
  return outside(() => signerOf(newKeys(kind).privateKey))
}

/** Creates a signer with a new key on P-256, whose envelopes carry its certificate, which it has signed itself. */
export async function certifiedPolicySigner(): Promise<PolicySigner> {
  return outside(async () => {
    const { certificate, key } = await makeAuthority('policy signer', Date.now())
    return signerOf(createPrivateKey(key), certificate)
  })
}

function signerOf(privateKey: KeyObject, keyid = ''): PolicySigner {
  const hash = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const signed = (bytes: Uint8Array) => base64(sign(hash, bytes, privateKey))
  const publicKey = createPublicKey(privateKey)
  return {
    key: base64(Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }))),
    detached: (policy) => signed(Buffer.from(policy)),
    envelope(policy) {
      const payload = Buffer.from(policy)
      return JSON.stringify({
        payload: base64(payload),
        payloadType: TYPE,
        signatures: [{ keyid, sig: signed(enveloped(payload)) }],
      })
    },
  }
}
