import { listIn } from './choose-evidence.ts'
import type { Answer, ReceivedRequest, ServedReply } from './service.ts'

/** A host that is not configured at the agent: base URLs. */
export interface Elsewhere {
  readonly secure: string
  readonly plain: string
}

export const NOWHERE: Elsewhere = { secure: 'https://127.0.0.1:1', plain: 'http://127.0.0.1:1' }

/** Input of a behaviour, in addition to the correct answer. */
interface BehaviourInput {
  readonly elsewhere: Elsewhere
  readonly request: ReceivedRequest
}

/** A named way to answer incorrectly. */
interface Behaviour {
  /** One clause that describes what the verifier does. */
  readonly what: string
  answers(correct: ServedReply, input: BehaviourInput): Answer
}

const YEAR_S = 31_536_000

/** An error answer with a minimal body, to avoid members that affect a client. */
function status(code: number, headers: Readonly<Record<string, string>> = {}): Behaviour {
  const after = headers['retry-after']
  return {
    what: `it answers ${code}${after === undefined ? '' : ` with Retry-After: ${after}`}`,
    answers: () => ({ status: code, body: { errors: [{ status: String(code) }] }, headers }),
  }
}

/** The correct answer with another status. */
function under(code: number): Behaviour {
  return {
    what: `it answers ${code} in place of the correct status`,
    answers: (correct) => ({ ...correct, status: code }),
  }
}

function bodied(what: string, mutate: (body: unknown) => unknown): Behaviour {
  return { what, answers: (correct) => ({ ...correct, body: mutate(correct.body) }) }
}

function redirect(code: number, to: keyof Elsewhere = 'secure'): Behaviour {
  return {
    what: `it answers ${code} with the address of another host${to === 'plain' ? ' in the clear' : ''}`,
    answers: (_truth, { elsewhere, request: { url } }) => ({
      status: code,
      headers: { location: `${elsewhere[to]}${url}` },
    }),
  }
}

/** Replaces every value of a JSON text by one of another type. */
function otherTypes(value: unknown): unknown {
  if (Array.isArray(value)) return { 0: value.map(otherTypes) }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, otherTypes(one)]))
  return typeof value === 'string' ? [value] : String(value)
}

function attributesIn(body: unknown, mutate: (attributes: Record<string, unknown>) => unknown) {
  const { data, ...rest } = body as { data: { attributes: Record<string, unknown> } }
  return { ...rest, data: { ...data, attributes: mutate(data.attributes) } }
}

/** Changes the chosen parameters of the quote. */
function choosing(change: (chosen: Record<string, unknown>) => object) {
  return (body: unknown) =>
    attributesIn(body, (all) => ({
      ...all,
      evidence_requested: (all['evidence_requested'] as readonly Chosen[]).map((item) =>
        item.evidence_type === 'tpm_quote'
          ? {
              ...item,
              chosen_parameters: { ...item.chosen_parameters, ...change(item.chosen_parameters) },
            }
          : item,
      ),
    }))
}

interface Chosen {
  readonly evidence_type: string
  readonly chosen_parameters: Record<string, unknown>
}

/** The chosen key with other identifiers; members that it does not have stay absent. */
function otherKey({ certification_key: key }: Record<string, unknown>): object {
  const others = Object.keys(IDENTIFIERS).filter((name) => Object.hasOwn(Object(key), name))
  const changed = others.map((name) => [name, IDENTIFIERS[name]])
  return { certification_key: { ...Object(key), ...Object.fromEntries(changed) } }
}

/** The same, with the members of the document alone. */
function otherNamedKey(chosen: Record<string, unknown>): object {
  const { local_identifier: _, public: __, ...members } = Object(chosen.certification_key)
  return otherKey({ certification_key: members })
}

const IDENTIFIERS: Readonly<Record<string, string>> = {
  server_identifier: 'another-key',
  local_identifier: 'another-key',
  public: 'YW5vdGhlciBrZXk=',
}

/** Alters one byte of the blob with which a registrar answers, so that no TPM opens it; other answers stay as they are. */
function blobAltered(what: string, at: number): Behaviour {
  return bodied(`its blob has another byte in ${what}`, (body) => {
    const { results, ...rest } = Object(body)
    if (typeof results?.blob !== 'string') return body
    const blob = Buffer.from(results.blob, 'base64')
    const altered = blob.map((byte, index) => (index === at ? byte ^ 1 : byte))
    return { ...rest, results: { ...results, blob: Buffer.from(altered).toString('base64') } }
  })
}

/** The name of another scheme that begins alike. */
const ALIKE: Readonly<Record<string, string>> = {
  rsassa: 'rsapss',
  rsapss: 'rsassa',
  ecdsa: 'ecdaa',
}

/** A proof that no agent of the harness offers, with a challenge of its own. */
const ANOTHER_PROOF = {
  ...{ authentication_class: 'pop', authentication_type: 'another_pop' },
  chosen_parameters: { challenge: 'YSBjaGFsbGVuZ2UgZm9yIGFub3RoZXIgcHJvb2Y=' },
}

const EXPIRED = { challenges_expire_at: '2020-01-01T00:00:00.000000Z' }

/** Every behaviour, by name. */
export const BEHAVIOURS = {
  '200': under(200),
  '201': under(201),
  '202': under(202),
  '204': { what: 'it answers 204 without a body', answers: () => ({ status: 204 }) },
  '400': status(400),
  '401': status(401),
  '403': status(403),
  '404': status(404),
  '409': status(409),
  '410': status(410),
  '415': status(415),
  '422': status(422),
  '429': status(429),
  '429-seconds': status(429, { 'retry-after': '1' }),
  '429-absurd': status(429, { 'retry-after': String(100 * YEAR_S) }),
  '429-date': {
    what: 'it answers 429 with Retry-After: a date a second away',
    answers: () => ({
      status: 429,
      headers: { 'retry-after': new Date(Date.now() + 1000).toUTCString() },
    }),
  },
  '429-nonsense': status(429, { 'retry-after': 'soon, I hope' }),
  '429-negative': status(429, { 'retry-after': '-5' }),
  '500': status(500),
  '502': status(502),
  '503': status(503),
  '503-seconds': status(503, { 'retry-after': '1' }),
  '504': status(504),
  '301': redirect(301),
  '302': redirect(302),
  '307': redirect(307),
  '308': redirect(308, 'plain'),
  slow: {
    what: 'it answers correctly after a delay',
    answers: (correct) => ({ ...correct, delayMs: 400 }),
  },
  reset: { what: 'it cuts the connection', answers: () => 'reset' },
  truncated: {
    what: 'it cuts the connection in the middle of the body',
    answers: (correct) => ({ ...correct, cutAt: 0.5 }),
  },
  'no-body': bodied('its body is empty', () => ''),
  'not-json': bodied('its body is half of the JSON', (body) => {
    const text = JSON.stringify(body)
    return text.slice(0, text.length / 2)
  }),
  html: {
    what: 'it answers with an HTML page',
    answers: ({ status: code }) => ({
      status: code,
      body: '<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>',
      headers: { 'content-type': 'text/html' },
    }),
  },
  array: bodied('its body is an array', (body) => [body]),
  null: bodied('its body is null', () => null),
  'other-types': bodied('every value has another type', otherTypes),
  'no-attributes': bodied('its attributes are empty', (body) => attributesIn(body, () => ({}))),
  'another-proof-first': bodied('it requests a proof of another type before tpm_pop', (body) =>
    attributesIn(body, (all) => ({
      ...all,
      authentication_requested: [ANOTHER_PROOF, ...listIn(all['authentication_requested'])],
    })),
  ),
  'nothing-requested': bodied('it requests no evidence', (body) =>
    attributesIn(body, (all) => ({ ...all, evidence_requested: [] })),
  ),
  'unknown-evidence': bodied('it requests evidence of a type that was not offered', (body) =>
    attributesIn(body, (all) => ({
      ...all,
      evidence_requested: [
        { evidence_class: 'log', evidence_type: 'dna_sample', chosen_parameters: {} },
      ],
    })),
  ),
  'expired-challenge': bodied('its challenge has expired on arrival', (body) =>
    attributesIn(body, (all) => ({ ...all, ...EXPIRED })),
  ),
  'ended-challenge': bodied('its challenge expired a second before its request', (body) =>
    attributesIn(body, (all) => {
      const received = Date.parse(String(all['capabilities_received_at']))
      const ended = new Date(received - 1000).toISOString().replace('Z', '000Z')
      return { ...all, challenges_expire_at: ended }
    }),
  ),
  'other-scheme': bodied(
    'it chooses a signature scheme that was not offered',
    choosing(({ signature_scheme: offered }) => ({
      signature_scheme: ALIKE[String(offered)] ?? 'ecschnorr',
    })),
  ),
  'other-hash': bodied(
    'it chooses a hash algorithm that was not offered',
    choosing(() => ({ hash_algorithm: 'sm3_256' })),
  ),
  'other-key': bodied('it chooses a key that was not offered', choosing(otherKey)),
  'other-key-named': bodied(
    'it chooses a key that was not offered, by its server_identifier alone',
    choosing(otherNamedKey),
  ),
  // A header of 8 bytes, TPM2B_ID_OBJECT with an HMAC of SHA-256 and the encrypted credential, TPM2B_ENCRYPTED_SECRET.
  'blob-other-hmac': blobAltered('its HMAC', 20),
  'blob-other-credential': blobAltered('its encrypted credential', 50),
  'blob-other-secret': blobAltered('its encrypted secret', 200),
  'evaluation-fail': bodied('it reports a failed proof', (body) =>
    attributesIn(body, ({ token: _, token_expires_at: __, ...all }) => ({
      ...all,
      evaluation: 'fail',
    })),
  ),
  'pass-without-token': bodied('it reports a passed proof without a token', (body) =>
    attributesIn(body, ({ token: _, ...all }) => all),
  ),
} as const satisfies Readonly<Record<string, Behaviour>>

export type BehaviourName = keyof typeof BEHAVIOURS
