import { createDecipheriv, createHmac } from 'node:crypto'
import { KEY_MOVES } from '../../../agent/keys/key-moves.ts'
import { type KeyRules, keyRules } from '../../../agent/keys/key-rules.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { standingOn, withRules } from './mutate-agent.ts'

const OTHER_AGENT = '00000000-0000-4000-8000-000000000000'

const withKeys = (change: Partial<KeyRules>) => withRules({ keys: { ...keyRules, ...change } })

/** Agents that derive K wrongly, or from the wrong halves. */
export const KEY_MUTANTS: readonly Mutant[] = [
  {
    id: 'agent.any-tag-fits',
    defect: 'K is taken with any tag of U',
    parts: withKeys({ isSameTag: () => true }),
  },
  {
    id: 'agent.stale-half-shuts-out',
    defect:
      'a U key that does not fit the V key that waits is refused, so that no other pair gets in',
    parts: withKeys({
      moves: KEY_MOVES.map((move) =>
        move.on === 'u-misfits' ? { ...move, to: move.from, does: ['refuse-u'] } : move,
      ),
    }),
  },
  {
    id: 'agent.tag-over-nothing',
    defect: 'the tag of U is asked to be over no UUID',
    parts: withKeys({ tagOf: (key) => keyRules.tagOf(key, '') }),
  },
  {
    id: 'agent.tag-of-any-agent',
    defect: 'a tag over the UUID of no agent fits too',
    parts: withKeys({
      tagOf: (key, agentId) =>
        new Uint8Array([...keyRules.tagOf(key, agentId), ...keyRules.tagOf(key, OTHER_AGENT)]),
      isSameTag: (either, given) =>
        keyRules.isSameTag(either.subarray(0, given.length), given) ||
        keyRules.isSameTag(either.subarray(given.length), given),
    }),
  },
  {
    id: 'agent.key-is-v',
    defect: 'K is V alone',
    parts: withKeys({ combine: (_, v) => v, isSameTag: () => true }),
  },
  {
    id: 'agent.proof-with-sha-256',
    defect: 'keys/verify answers with an HMAC of SHA-256',
    parts: withKeys({
      proofOf: (key, challenge) => createHmac('sha256', key).update(challenge).digest(),
    }),
  },
  {
    id: 'agent.proof-over-nothing',
    defect: 'keys/verify answers the same to every challenge',
    parts: withKeys({ proofOf: (key) => keyRules.proofOf(key, '') }),
  },
  {
    id: 'agent.half-of-any-length',
    defect: 'a half that is too short is filled up with zeros',
    parts: withKeys({
      openHalf(key, encrypted) {
        const half = new Uint8Array(keyRules.halfLength)
        half.set(keyRules.openHalf(key, encrypted))
        return half
      },
    }),
  },
  {
    id: 'agent.payload-never-delivered',
    defect: 'a payload is never delivered',
    parts: standingOn(() => ({ deliver: () => undefined })),
  },
  {
    id: 'agent.payload-unchecked',
    defect: 'a payload is delivered though its tag is not that of K',
    parts: withKeys({
      openPayload(key, payload) {
        const cipher = createDecipheriv('aes-256-gcm', key, payload.subarray(0, 16))
        return cipher.update(payload.subarray(16, -16))
      },
    }),
  },
  {
    id: 'agent.v-alone-is-enough',
    defect: 'a V key that comes alone is K',
    parts: standingOn(({ keys }) => {
      let alone: Uint8Array | undefined
      return {
        keys: {
          ...keys,
          takeV(v) {
            alone = v
            return keys.takeV(v)
          },
          key: () => keys.key() ?? alone,
        },
      }
    }),
  },
]
