import {
  authorizationOf,
  stepsOf,
  tokensGiven,
} from '../../../conformance/oracle/recording-parts.ts'
import type { PushRecording } from '../../../conformance/peers/push-agent-pool.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'

export const TOKEN_REQUIREMENTS = [
  'PSH-TOKEN-HEADER',
  'PSH-TOKEN-SCHEME',
  'PSH-NO-TOKEN-NO-EVIDENCE',
  'PSH-TOKEN-VERIFIER-ALONE',
  'PSH-NO-CLIENT-CERTIFICATE',
] as const

/** Checks how the agent uses its tokens, and which peers receive them. */
export function checkTokens({ check, observe }: Context, recording: PushRecording): void {
  const { operations, wrote } = recording
  const tokens = tokensGiven(operations)
  const bearing = [...stepsOf(operations, 'capabilities'), ...stepsOf(operations, 'evidence')]
  const headers = bearing.map(authorizationOf)
  const holds = (header: string | undefined) => tokens.some((token) => header?.endsWith(token))
  check('PSH-TOKEN-HEADER', 'requests without a token that was given')
    .of(bearing.filter((operation) => !holds(authorizationOf(operation))).map(({ step }) => step))
    .is([])
  const schemes = [...new Set(headers.map((header) => /^(\S+) /.exec(header ?? '')?.[1] ?? 'bare'))]
  check('PSH-TOKEN-SCHEME', 'scheme before the token')
    .of(schemes)
    .meets({
      Bearer: (all) => all.every((one) => /^bearer$/i.test(one)),
      bare: (all) => all.every((one) => one === 'bare'),
    })
  observe('BEARER', 'scheme before the token', schemes)
  const withoutToken = stepsOf(operations, 'evidence').filter(
    (operation) => operation.bearer === 'none',
  )
  check('PSH-NO-TOKEN-NO-EVIDENCE', 'evidence without a token').of(withoutToken.length).is(0)
  const shown = operations.filter(
    (operation) => operation.peer !== 'verifier' && showsOne(operation, tokens),
  )
  check('PSH-TOKEN-VERIFIER-ALONE', 'other peers that received a token')
    .of(shown.map(({ peer }) => peer))
    .is([])
  check('PSH-TOKEN-VERIFIER-ALONE', 'tokens in its output')
    .of(tokens.filter((token) => wrote.includes(token.split('.').at(-1) ?? token)).length)
    .is(0)
  const certificates = operations
    .filter(({ peer }) => peer === 'verifier')
    .flatMap(({ request: { tls } }) => tls?.client?.subject ?? [])
  check('PSH-NO-CLIENT-CERTIFICATE', 'client certificates')
    .of([...new Set(certificates)])
    .is([])
  observe('REFRESH', 'sessions for so many requests', [tokens.length, bearing.length])
}

function showsOne(
  { request: { url, headers, body } }: PushOperation,
  tokens: readonly string[],
): boolean {
  const text = [url, body, ...Object.values(headers)].join('\n')
  return tokens.some((token) => text.includes(token))
}
