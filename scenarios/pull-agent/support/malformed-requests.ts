import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import { freshNonce, publicKeyOf, ukeyBody } from '../../../conformance/peers/agent-operations.ts'
import type { AgentOperation } from '../../../conformance/peers/agent-routes.ts'
import { encryptKey, makeBootstrapKeys } from '../../../conformance/peers/bootstrap-keys.ts'
import type { AgentCall, PullAgent } from '../../../conformance/peers/pull-agent.ts'

/** A request with one defect. */
interface MalformedRequest {
  readonly operation: AgentOperation
  readonly says: string
  readonly call: AgentCall
  readonly requirement: string
  /** The document does not require a refusal: any answer except a server error passes. */
  readonly silent?: true
}

const REFUSED = 'AGT-MALFORMED-REFUSED'
/** Larger than any message: a payload for a pull agent is a package of certificates, or a script. */
const HUGE = 12 * 1024 * 1024

/** Returns requests to a pull agent, each with one defect. */
export async function malformedAgentRequests(
  agent: PullAgent,
  random: SeededRandom,
): Promise<readonly MalformedRequest[]> {
  const publicKey = await publicKeyOf(agent)
  const keys = makeBootstrapKeys(agent)
  const ukey = ukeyBody(publicKey, keys, agent.id)
  const of = (operation: AgentOperation, requirement = REFUSED) => ({ operation, requirement })
  const body = (operation: AgentOperation, says: string, value: unknown): MalformedRequest => {
    return { ...of(operation), says, call: { body: value } }
  }
  return [
    ...malformedQuotes(freshNonce(random)),
    body('ukey', 'invalid JSON', '{"auth_tag": '),
    body('ukey', 'an empty body', ''),
    body('ukey', 'null', 'null'),
    body('ukey', 'a list', [ukey]),
    body('ukey', 'no auth_tag', { encrypted_key: ukey['encrypted_key'] }),
    body('ukey', 'no encrypted_key', { auth_tag: ukey['auth_tag'] }),
    body('ukey', 'an auth_tag that is a number', { ...ukey, auth_tag: 7 }),
    body('ukey', 'an auth_tag that is not hexadecimal', { ...ukey, auth_tag: 'x'.repeat(96) }),
    body('ukey', 'an auth_tag that is too short', { ...ukey, auth_tag: 'ab'.repeat(32) }),
    body('ukey', 'an encrypted_key that is not base64', { ...ukey, encrypted_key: '*not base64*' }),
    body('ukey', 'a payload that is not a string', { ...ukey, payload: { a: 1 } }),
    body('vkey', 'no encrypted_key', {}),
    body('vkey', 'an encrypted_key that is null', { encrypted_key: null }),
    {
      ...of('vkey', 'AGT-VKEY-UNDECRYPTABLE'),
      says: 'a V key that does not decrypt',
      call: { body: { encrypted_key: base64(new Uint8Array(256)) } },
      silent: true,
    },
    {
      ...of('ukey', 'AGT-BODY-BOUNDED'),
      says: `a body of ${HUGE} bytes`,
      call: {
        body: {
          encrypted_key: encryptKey(publicKey, keys.u, keys.keyForms),
          auth_tag: 'x'.repeat(HUGE),
        },
      },
    },
    { ...of('verify'), says: 'no challenge', call: {} },
    { ...of('verify'), says: 'an empty challenge', call: { query: { challenge: '' } } },
    { ...of('verify'), says: 'a challenge with a slash', call: { query: { challenge: 'a/b' } } },
    {
      ...of('verify'),
      says: 'a challenge with an underscore',
      call: { query: { challenge: 'Kq3n8VbT0x_z5LmR2pYd' } },
    },
  ]
}

function malformedQuotes(nonce: string): readonly MalformedRequest[] {
  const integrity = (says: string, query: AgentCall['query'], requirement = REFUSED) => {
    return { operation: 'integrity' as const, says, call: { query: query ?? {} }, requirement }
  }
  return [
    {
      operation: 'identity',
      says: 'no nonce',
      call: {},
      requirement: 'AGT-IDENTITY-NONCE-REQUIRED',
    },
    { ...integrity('no nonce', { mask: '0x400', partial: '0' }, 'AGT-INTEGRITY-NONCE-REQUIRED') },
    { ...integrity('no mask', { nonce, partial: '0' }, 'AGT-INTEGRITY-NO-MASK'), silent: true },
    integrity('a mask that is not a number', { nonce, mask: 'mask', partial: '0' }),
    integrity('a negative mask', { nonce, mask: '-1', partial: '0' }),
    integrity('a mask of 33 bits', { nonce, mask: '0x100000000', partial: '0' }),
    integrity(
      'partial=10',
      { nonce, mask: '0x400', partial: '10' },
      'AGT-INTEGRITY-PARTIAL-VALUES',
    ),
    integrity('partial=2', { nonce, mask: '0x400', partial: '2' }, 'AGT-INTEGRITY-PARTIAL-VALUES'),
    integrity(
      'partial=true',
      { nonce, mask: '0x400', partial: 'true' },
      'AGT-INTEGRITY-PARTIAL-VALUES',
    ),
  ]
}

const INTERNALS = [
  /\n\s+at .*[:(]\d+/,
  /\.(?:rs|ts|js|py):\d+/,
  /(?:^|["'\s(])\/(?:home|root|usr|var|tmp|work|etc|src)\//,
] as const

/** Whether an error reveals no stack trace, source line or file system path. */
export function revealsNothing(text: string): boolean {
  return !INTERNALS.some((pattern) => pattern.test(text))
}
