import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import {
  base64,
  detached,
  envelopeOf,
  other,
  PAYLOAD_TYPE,
  pemKey,
  type SignedEnvelope,
  signedBytes,
  signer,
  upload,
} from '../../dev/testing/verifier/signed-policies.ts'
import { readSignedPolicy } from './read-policy-upload.ts'

const EVIL = RUNTIME_POLICY.replace(/[0-9a-f]{64}/, 'e'.repeat(64))
const GOOD = envelopeOf()
const [GOOD_SIGNATURE = { keyid: '', sig: '' }] = GOOD.signatures
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const edwards = generateKeyPairSync('ed25519')
/** Order of the curve P-256 (FIPS 186-5). */
const ORDER = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'

type Upload = Readonly<Record<string, unknown>> & { readonly runtime_policy: string }
type Attempt = readonly [what: string, sent: Upload, pointer: string]

const KEY = { runtime_policy_key: pemKey(signer) }

function keyed(text: string): Upload {
  return upload(text, KEY)
}

/** An evil policy with a signature, or bytes in the place of one, in an envelope of the signer's. */
function forged(sig: Buffer | string, change: Partial<SignedEnvelope> = {}): Upload {
  const keyid = GOOD_SIGNATURE.keyid
  const signatures = [{ keyid, sig: typeof sig === 'string' ? sig : base64(sig) }]
  return keyed(JSON.stringify({ ...GOOD, payload: base64(EVIL), signatures, ...change }))
}

function asSigner(bytes: Uint8Array | string, hash = 'sha256'): Buffer {
  return sign(hash, Buffer.from(bytes), signer.privateKey)
}

function der(r: string, s: string): Buffer {
  const integers = [r, s].map((hex) => {
    const value = Buffer.from((/^[89a-f]/.test(hex) ? '00' : '') + hex, 'hex')
    return Buffer.concat([Buffer.from([2, value.length]), value])
  })
  const body = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

const ENVELOPES: readonly Attempt[] = [
  ['the signature of the good policy', forged(GOOD_SIGNATURE.sig)],
  ['another key', keyed(JSON.stringify(envelopeOf(EVIL, other.privateKey)))],
  ['the payload alone', forged(asSigner(EVIL))],
  ['the base64 of the payload', forged(asSigner(base64(EVIL)))],
  ['the good payload twice', forged(asSigner(signedBytes(RUNTIME_POLICY + RUNTIME_POLICY)))],
  ['the evil payload with a line feed', forged(asSigner(signedBytes(`${EVIL}\n`)))],
  ['another type', forged(asSigner(signedBytes(EVIL, 'application/json')))],
  ['an empty type', forged(asSigner(signedBytes(EVIL, '')))],
  [
    'another version of the encoding',
    forged(asSigner(signedBytes(EVIL).toString().replace('DSSEv1', 'DSSEv2'))),
  ],
  ['an encoding without lengths', forged(asSigner(Buffer.from(`DSSEv1 ${PAYLOAD_TYPE} ${EVIL}`)))],
  ['SHA-1', forged(asSigner(signedBytes(EVIL), 'sha1'))],
  ['SHA-384', forged(asSigner(signedBytes(EVIL), 'sha384'))],
  [
    'a digest of the bytes',
    forged(asSigner(createHash('sha256').update(signedBytes(EVIL)).digest())),
  ],
  ['no bytes', forged('')],
  ['zeros', forged(Buffer.alloc(70))],
  ['r and s of 0', forged(der('00', '00'))],
  ['r and s of 1', forged(der('01', '01'))],
  ['r of the order and s of 1', forged(der(ORDER, '01'))],
  ['r of 1 and s of the order', forged(der('01', ORDER))],
  ['a right one cut short', forged(asSigner(signedBytes(EVIL)).subarray(0, -1))],
  [
    'a right one with a byte behind it',
    forged(Buffer.concat([asSigner(signedBytes(EVIL)), Buffer.alloc(1)])),
  ],
  [
    'a right one as r and s without DER',
    forged(
      sign('sha256', signedBytes(EVIL), { key: signer.privateKey, dsaEncoding: 'ieee-p1363' }),
    ),
  ],
  ['an RSA key', forged(sign('sha256', signedBytes(EVIL), rsa.privateKey))],
  ['an Ed25519 key', forged(sign(null, signedBytes(EVIL), edwards.privateKey))],
  [
    'another key, which names that of the signer',
    keyed(JSON.stringify(envelopeOf(EVIL, other.privateKey, pemKey(signer)))),
  ],
  [
    'good signatures of other payloads',
    forged('', { signatures: [GOOD_SIGNATURE, ...envelopeOf('{}').signatures] }),
  ],
].map(([what, sent]) => [`signed by ${what}`, sent, '/runtime_policy'] as Attempt)

const text = JSON.stringify(GOOD)
const evilPayload = `"payload":"${base64(EVIL)}"`

/** Texts that one reader takes for the signed envelope and another one for an evil policy. */
const READINGS: readonly Attempt[] = [
  ['a second payload behind the good one', `${text.slice(0, -1)},${evilPayload}}`, ''],
  [
    'a second payload with an escape',
    `${text.slice(0, -1)},"p\\u0061yload":"${base64(EVIL)}"}`,
    '',
  ],
  ['a second list of signatures', `${text.slice(0, -1)},"signatures":[]}`, ''],
  ['another type behind the signed one', `${text.slice(0, -1)},"payloadType":"text/plain"}`, ''],
  ['the envelope in a list', `[${text}]`, '_sig'],
  ['the envelope in an object', `{"envelope":${text}}`, '_sig'],
  ['the envelope below __proto__', `{"__proto__":${text}}`, '_sig'],
  ['a payload below __proto__', `{"__proto__":{${evilPayload}},"signatures":[]}`, '_sig'],
  ['members in capitals', text.replace('"payload"', '"Payload"'), '_sig'],
  ['text behind the envelope', `${text}\n${EVIL}`, '_sig'],
  ['text before the envelope', `${EVIL}\n${text}`, '_sig'],
  ['a comment before it', `/* */${text}`, '_sig'],
  ['a zero byte behind it', `${text}\0`, '_sig'],
  ['a policy with an empty payload', JSON.stringify({ ...JSON.parse(EVIL), payload: '' }), '_sig'],
  [
    'a policy with the payload null',
    JSON.stringify({ ...JSON.parse(EVIL), payload: null }),
    '_sig',
  ],
  ['a policy with the payload 0', JSON.stringify({ ...JSON.parse(EVIL), payload: 0 }), '_sig'],
  [
    'a policy beside the signatures',
    JSON.stringify({ ...JSON.parse(EVIL), ...GOOD, payload: '' }),
    '_sig',
  ],
  ['an object as payload', JSON.stringify({ ...GOOD, payload: JSON.parse(EVIL) }), ''],
  ['a list as payload', JSON.stringify({ ...GOOD, payload: [GOOD.payload] }), ''],
  [
    'a payload in base64url',
    JSON.stringify({ ...GOOD, payload: base64(`${EVIL}\u{3fff}`).replaceAll(/[+/]/g, '-') }),
    '',
  ],
  [
    'a payload without padding',
    JSON.stringify({ ...GOOD, payload: base64(`${EVIL}  `).replace(/=+$/, '') }),
    '',
  ],
  ['the type as a list', JSON.stringify({ ...GOOD, payloadType: [PAYLOAD_TYPE] }), ''],
  ['signatures as an object', JSON.stringify({ ...GOOD, signatures: { 0: GOOD_SIGNATURE } }), ''],
  ['a signature as text', JSON.stringify({ ...GOOD, signatures: [GOOD_SIGNATURE.sig] }), ''],
  [
    'the good signature as the seventeenth',
    JSON.stringify({
      ...GOOD,
      signatures: [...Array.from({ length: 16 }, () => ({ sig: 'AA==' })), GOOD_SIGNATURE],
    }),
    '',
  ],
].map(
  ([what, sent, pointer]) =>
    [`with ${what}`, keyed(String(sent)), `/runtime_policy${pointer}`] as Attempt,
)

/** An evil policy, with a detached signature of this. */
function besides(sig: Buffer | string): Upload {
  const runtime_policy_sig = typeof sig === 'string' ? sig : base64(sig)
  return upload(EVIL, { ...KEY, runtime_policy_sig })
}

const pss = { key: rsa.privateKey, padding: 6, saltLength: 32 }

const DETACHED: readonly Attempt[] = [
  ['of the good policy', besides(asSigner(RUNTIME_POLICY)), '_sig'],
  ['by another key', detached(EVIL, other.privateKey), '_sig'],
  ['of the base64', besides(asSigner(base64(EVIL))), '_sig'],
  ['of the policy and a line feed', besides(asSigner(`${EVIL}\n`)), '_sig'],
  ['of the policy without its last byte', besides(asSigner(EVIL.slice(0, -1))), '_sig'],
  ['of the encoding that an envelope has', besides(asSigner(signedBytes(EVIL))), '_sig'],
  ['with SHA-1', besides(asSigner(EVIL, 'sha1')), '_sig'],
  ['with SHA-512', besides(asSigner(EVIL, 'sha512')), '_sig'],
  ['cut short', besides(asSigner(EVIL).subarray(0, -1)), '_sig'],
  ['of zeros', besides(Buffer.alloc(71)), '_sig'],
  ['of r and s of 0', besides(der('00', '00')), '_sig'],
  ['in hex', besides(asSigner(EVIL).toString('hex')), '_sig'],
  [
    'by PSS, with the key of RSA',
    {
      ...upload(EVIL, { runtime_policy_sig: base64(sign('sha256', Buffer.from(EVIL), pss)) }),
      runtime_policy_key: pemKey(rsa),
    },
    '_sig',
  ],
  ['that is empty', upload(EVIL, { ...KEY, runtime_policy_sig: '' }), '_sig'],
  ['without the key', { ...detached(EVIL), runtime_policy_key: null }, '_key'],
  ['with an empty key', { ...detached(EVIL), runtime_policy_key: '' }, '_key'],
  [
    'of an envelope that another key signed',
    detached(JSON.stringify(envelopeOf(EVIL, other.privateKey))),
    '',
  ],
  [
    'by another key of an envelope that is right',
    detached(JSON.stringify(GOOD), other.privateKey),
    '_sig',
  ],
].map(([what, sent, at]) => [`beside a signature ${what}`, sent, `/runtime_policy${at}`] as Attempt)

const ATTEMPTS = [...ENVELOPES, ...READINGS, ...DETACHED]

test.each([true, false])(
  'a right signature passes, whether one is required: %s',
  (signatureRequired) => {
    for (const sent of [keyed(text), detached(EVIL), detached(text)])
      expect(readSignedPolicy({ ...sent, signatureRequired })).toBe(
        Buffer.from(sent.runtime_policy, 'base64').toString(),
      )
  },
)

test.each(ATTEMPTS)('a policy %s is refused, required or not', async (_, sent, pointer) => {
  for (const signatureRequired of [true, false]) {
    const refusal = await refusalOf(() => readSignedPolicy({ ...sent, signatureRequired }))
    expect(refusal.pointer, String(signatureRequired)).toBe(pointer)
  }
})

test('no attempt is made twice, and the evil policy is not the good one', () => {
  expect(new Set(ATTEMPTS.map(([, sent]) => JSON.stringify(sent))).size).toBe(ATTEMPTS.length)
  expect(EVIL).not.toBe(RUNTIME_POLICY)
})
