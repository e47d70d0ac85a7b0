import Type from 'typebox'
import { bodyParser } from '../../../api/bodies/parse-body.ts'
import type { Call, Handler } from '../../../api/call.ts'
import { fromBase64 } from '../../../bytes/base64.ts'
import { fromHex, toHex } from '../../../bytes/hex.ts'
import { WireError } from '../../../bytes/wire-error.ts'
import { ApiError } from '../../../errors.ts'
import type { UHalf } from '../../keys/bootstrap-keys.ts'
import { PAYLOAD_OVERHEAD, TAG_LENGTH } from '../../keys/key-rules.ts'
import type { PullAgentParts } from '../agent-parts.ts'
import { checkText } from '../nonce-checks.ts'
import { optionalParameter } from '../quote-query.ts'

const parseV = bodyParser(Type.Object({ encrypted_key: Type.String() }), 'malformed_request')
const parseU = bodyParser(
  Type.Object({
    encrypted_key: Type.String(),
    auth_tag: Type.String(),
    payload: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  'malformed_request',
)

/** Log line for halves of different keys: the sender of one half does not know the other. */
const APART = 'the V key and the U key that came do not fit each other; each waits for its own'

/** POST keys/vkey. */
export function takeVKey(parts: PullAgentParts): Handler {
  return (call) => {
    const { encrypted_key } = parseV(call.body)
    const { delivery, event } = parts.keys.takeV(readHalf(parts, encrypted_key))
    if (event === 'v-misfits') parts.warn(APART)
    return delivery ? { afterwards: () => parts.deliver(delivery) } : {}
  }
}

/** POST keys/ukey. */
export function takeUKey(parts: PullAgentParts): Handler {
  return (call) => {
    const { encrypted_key, auth_tag, payload } = parseU(call.body)
    const half: UHalf = {
      u: readHalf(parts, encrypted_key),
      tag: readTag(auth_tag),
      payload: payload == null || payload === '' ? undefined : readPayload(payload),
    }
    const { delivery, does, event } = parts.keys.takeU(half)
    if (event === 'u-misfits') parts.warn(APART)
    if (does.includes('refuse-u')) throw refused(REFUSALS.get(event) ?? 'is not taken')
    return delivery ? { afterwards: () => parts.deliver(delivery) } : {}
  }
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['u-unopened', 'is of the key that the V key makes with this one, and payload is not'],
  ['u-used', 'is of a key that was replaced since'],
])

/** GET keys/verify: proves that both halves have arrived, without revealing K. */
export function verifyKey({ keys, rules }: PullAgentParts): Handler {
  return (call) => {
    const challenge = readChallenge(call)
    checkText('challenge', challenge, rules.challengeChecks)
    const key = keys.key()
    if (key === undefined) {
      throw new ApiError('invalid_request', 'Bootstrap key not yet available.')
    }
    return { body: { hmac: toHex(rules.keys.proofOf(key, challenge)) } }
  }
}

function readChallenge(call: Call): string {
  const challenge = optionalParameter(call, 'challenge')
  if (challenge !== undefined) return challenge
  throw new ApiError('malformed_request', 'query parameter challenge is missing')
}

function readHalf({ rules, nodeKey }: PullAgentParts, text: string): Uint8Array {
  const encrypted = read('/encrypted_key', () => fromBase64(text, 'encrypted_key'))
  const half = open(() => rules.keys.openHalf(nodeKey.private, encrypted))
  if (half?.length === rules.keys.halfLength) return half
  throw malformed(
    '/encrypted_key',
    `does not decrypt to ${rules.keys.halfLength} bytes with the key of keys/pubkey`,
  )
}

/** Hides how the decryption failed: OpenSSL's reason would help an attacker. */
function open(decrypt: () => Uint8Array): Uint8Array | undefined {
  try {
    return decrypt()
  } catch {
    return undefined
  }
}

function readTag(text: string): Uint8Array {
  const tag = read('/auth_tag', () => fromHex(text, 'auth_tag'))
  if (tag.length === TAG_LENGTH) return tag
  throw malformed('/auth_tag', `has ${tag.length} bytes, and an HMAC of SHA-384 ${TAG_LENGTH}`)
}

function readPayload(text: string): Uint8Array {
  const payload = read('/payload', () => fromBase64(text, 'payload'))
  if (payload.length >= PAYLOAD_OVERHEAD) return payload
  throw malformed('/payload', `is shorter than its IV and its tag, ${PAYLOAD_OVERHEAD} bytes`)
}

function read(pointer: string, decode: () => Uint8Array): Uint8Array {
  try {
    return decode()
  } catch (cause) {
    if (!(cause instanceof WireError)) throw cause
    throw malformed(pointer, `at character ${cause.offset}: ${cause.problem}`)
  }
}

function malformed(pointer: string, problem: string): ApiError {
  return new ApiError('malformed_request', `${pointer}: ${problem}`, { pointer })
}

function refused(why: string): ApiError {
  return new ApiError('invalid_request', `auth_tag ${why}; the U key is not kept.`)
}
