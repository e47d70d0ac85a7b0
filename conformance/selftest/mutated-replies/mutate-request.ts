import type { SeededRandom } from '../../attempt/random.ts'
import { type Choice, type Mutation, mutateMessage, type WireMessage } from './mutate-message.ts'
import { oneOf } from './mutate-value.ts'

/** Header of a changed request, with the kind of the change. */
export const CHANGED = 'x-changed'

/** A request that a subject is about to send. */
export interface SentRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'X']

const TARGETS = [
  ...['/', '*', '//', '/%', '/%zz', '/%00', '/%ff', '//[', '///a', '/..', '/?', '/#', '?', 'a'],
  ...[
    'http://[',
    'https://127.0.0.1/version',
    '/version',
    '/v3.0/',
    '/v9.9/agents/x',
    '/v/agents/',
  ],
  ...['/v2.1/agents/%', '/v3.0/agents/%e0/attestations', '/v3.0/sessions/%', '/x'.repeat(4000)],
] as const

/** The target of a request with one place changed. */
function mutateTarget(path: string, random: SeededRandom): string {
  const at = 1 + random.below(path.length)
  const [before, after] = [path.slice(0, at), path.slice(at)]
  return oneOf(random, [
    ...[
      `${before}%${after}`,
      `${before}/${after}`,
      `${before}?${after}`,
      `${before}${after.slice(1)}`,
    ],
    ...[`/${path}`, `${path}/`, `${path}?a=%`, `${path}%00`, path.toUpperCase(), before, after],
    path.replace(
      /v\d+(\.\d+)?/,
      oneOf(random, ['v1', 'v9.9', 'v2.1', 'v3.0', 'v2.5.1', 'v02', 'v']),
    ),
    path.replace(/[0-9a-f]{8}-/, oneOf(random, ['00000000-', '%', 'x'])),
    oneOf(random, TARGETS),
  ])
}

/** Values of a header that is added, or takes the place of another. */
const HEADERS = [
  '',
  'x',
  'Bearer',
  'Bearer ',
  'Bearer a.b',
  'Basic YTpi',
  'a'.repeat(8000),
  '\u00ff',
]

/** Defects of requests alone. */
const OF_REQUESTS: readonly Mutation[] = [
  [
    'method',
    4,
    (message, random) => {
      return { ...message, first: message.first.replace(/^\S+/, oneOf(random, METHODS)) }
    },
  ],
  [
    'target',
    8,
    (message, random) => {
      const [method = '', path = '/', version = ''] = message.first.split(' ')
      return { ...message, first: [method, mutateTarget(path, random), version].join(' ') }
    },
  ],
  [
    'header',
    4,
    (message, random) => {
      const names = [
        ...Object.keys(message.headers),
        'authorization',
        'expect',
        'cookie',
        'upgrade',
      ]
      return {
        ...message,
        headers: { ...message.headers, [oneOf(random, names)]: oneOf(random, HEADERS) },
      }
    },
  ],
  [
    'header missing',
    3,
    (message, random) => {
      const names = Object.keys(message.headers)
      const gone = names[random.below(names.length)]
      const left = Object.entries(message.headers).filter(([name]) => name !== gone)
      return { ...message, headers: Object.fromEntries(left) }
    },
  ],
]

/** What a defective client sends in place of a request: another value, method, target or header, or broken framing. */
export function mutateRequest(
  { method, path, headers, body }: SentRequest,
  random: SeededRandom,
  choice: Omit<Choice, 'more'>,
): WireMessage {
  const message = { first: `${method} ${path} HTTP/1.1`, headers, body }
  return mutateMessage(message, random, { ...choice, more: OF_REQUESTS })
}
