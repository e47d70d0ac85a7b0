import { at, attributes, type Context, type Reply } from '../../../conformance/scenario.ts'
import type { SessionProof } from './engine.ts'

/** The challenge of the only method in a member of a session. */
export const challengeIn = (reply: Reply, member: string) =>
  at([attributes(reply, member)].flat()[0], 'chosen_parameters', 'challenge')

/** What a completed session, passed or failed, has of the opened one and of the proof. */
export function checkRepeated(
  check: Context['check'],
  session: Reply,
  { body }: SessionProof,
  completed: Reply,
): void {
  const says = `of a session with the evaluation ${attributes(completed, 'evaluation')}`
  const sent = at(body, 'data', 'attributes', 'authentication_provided', 0, 'data')
  const kept = at([attributes(completed, 'authentication')].flat()[0], 'data')
  for (const [row, name, seen, right] of [
    [
      'SES-PASS-ID-SAME',
      'data.id',
      at(completed.body, 'data', 'id'),
      at(session.body, 'data', 'id'),
    ],
    ...(
      [
        ['SES-PASS-AGENT', 'agent_id'],
        ['SES-PASS-CREATED-SAME', 'created_at'],
        ['SES-PASS-EXPIRES', 'challenges_expire_at'],
      ] as const
    ).map(
      ([own, name]) => [own, name, attributes(completed, name), attributes(session, name)] as const,
    ),
    [
      'SES-PASS-AUTHENTICATION-CHALLENGE',
      'challenge',
      challengeIn(completed, 'authentication'),
      challengeIn(session, 'authentication_requested'),
    ],
    ['SES-PASS-AUTHENTICATION-MESSAGE', 'message', at(kept, 'message'), at(sent, 'message')],
    [
      'SES-PASS-AUTHENTICATION-SIGNATURE',
      'signature',
      at(kept, 'signature'),
      at(sent, 'signature'),
    ],
  ] as const)
    check(row, `${name} ${says}`).of(seen).is(right)
}
