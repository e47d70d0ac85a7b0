import { scenario } from '../../conformance/scenario.ts'
import { longestAlike, TEXTS_LITTLE_ALIKE } from './support/engine.ts'
import {
  addedBody,
  openPayload,
  requireU,
  tenantKeys,
  tenantOperations,
} from './support/tenant-operations.ts'

function compared(one: string | undefined, other: string | undefined): string {
  if (one === undefined || other === undefined) return 'none'
  return one === other ? 'the same' : 'another'
}

export default scenario({
  id: 'tenant.secrets',
  title: 'A tenant sends both halves of K to no single peer, and the same key to no two agents',
  requirements: [
    ...['TEN-HALVES-APART', 'TEN-KEYS-FRESH', 'TEN-NONCE-FRESH', 'TEN-CHALLENGE-FRESH'],
    'TEN-SENDS-PAYLOAD',
  ],
  role: 'tenant',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check }) {
    const text = 'what only K opens\n'
    const seen: {
      readonly nonce: string | undefined
      readonly challenge: string | undefined
      readonly k: string
      readonly v: string
    }[] = []
    for (const _ of ['once', 'again']) {
      const stage = await tenants.stage()
      const file = stage.file('payload', text)
      const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file, '--verify')
      const operations = tenantOperations(stage)
      const { ukey, nonce, challenge, order, toAgent, toVerifier } = operations
      requireU(operations, code)
      const keys = tenantKeys(stage, addedBody(operations, code))
      check('TEN-SENDS-PAYLOAD', 'the payload, opened with K')
        .of(openPayload(keys.k, ukey['payload']))
        .is(text)
      const contains = (requests: string, key: Uint8Array | undefined) =>
        key !== undefined &&
        key.length > 0 &&
        requests.includes(Buffer.from(key).toString('base64'))
      const isPosted = keys.v !== undefined && order.includes('POST /keys/vkey')
      check('TEN-HALVES-APART', 'V at the agent')
        .of(isPosted || contains(toAgent, keys.v))
        .is(false)
      check('TEN-HALVES-APART', 'U or K at the verifier')
        .of(contains(toVerifier, keys.u) || contains(toVerifier, keys.k))
        .is(false)
      check('TEN-HALVES-APART', 'K is V')
        .of(keys.k !== undefined && String(keys.k) === String(keys.v))
        .is(false)
      seen.push({ nonce, challenge, k: String(keys.k), v: String(keys.v) })
    }
    const [one, other] = seen
    check('TEN-KEYS-FRESH', 'K of the second agent')
      .of(one?.k === other?.k ? 'the same' : 'another')
      .is('another')
    check('TEN-KEYS-FRESH', 'V of the second agent')
      .of(one?.v === other?.v ? 'the same' : 'another')
      .is('another')
    const textsOf = (what: 'nonce' | 'challenge') =>
      seen.map((each) => Buffer.from(each[what] ?? ''))
    for (const [what, row, texts] of [
      ['nonce', 'TEN-NONCE-FRESH', textsOf('nonce')],
      ['challenge', 'TEN-CHALLENGE-FRESH', [...textsOf('nonce'), ...textsOf('challenge')]],
    ] as const) {
      check(row, `${what} of the second agent`)
        .of(compared(one?.[what], other?.[what]))
        .is('another')
      check(row, `equal characters in a row of each ${what} and other texts: no counter, no time`)
        .of(longestAlike(texts))
        .matches(...TEXTS_LITTLE_ALIKE)
    }
  },
})
