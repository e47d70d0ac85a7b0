import type { SeededRandom } from '../../attempt/random.ts'
import type { Reply } from '../../attempt/reply.ts'
import {
  type Choice,
  type Message,
  type Mutation,
  mutateMessage,
  TEXTS,
  type WireMessage,
  withBody,
} from './mutate-message.ts'
import { oneOf } from './mutate-value.ts'

/** What a defective server writes to a connection. */
export interface WireAnswer extends WireMessage {
  /** How the connection ends after the bytes. */
  readonly end: 'close' | 'reset'
}

const STATUSES = [
  ...[200, 201, 202, 203, 204, 205, 206, 300, 302, 304, 400, 401, 403, 404, 405, 409, 410, 429],
  ...[500, 501, 502, 503, 599, 600, 999],
] as const

const SERVER_ERROR = '{"code":500,"status":"Internal Server Error","results":{}}'

const firstLine = (status: number) => `HTTP/1.1 ${status} Some reason`

function withStatus(message: Message, status: number): Message {
  return { ...message, first: firstLine(status) }
}

/** Defects of replies alone. */
const OF_REPLIES: readonly Mutation[] = [
  ['status', 5, (message, random) => withStatus(message, oneOf(random, STATUSES))],
  ['server error', 3, (message) => withStatus(withBody(message, SERVER_ERROR), 500)],
  [
    'status and text',
    2,
    (message, random) => {
      return withStatus(withBody(message, oneOf(random, TEXTS)), oneOf(random, STATUSES))
    },
  ],
  [
    'redirect',
    1,
    (message, random) => {
      const location = oneOf(random, [
        '/',
        'https://127.0.0.1:1/',
        '//',
        '%',
        'http://[',
        'x'.repeat(5000),
      ])
      const headers = { ...message.headers, location }
      return withStatus({ ...message, headers }, oneOf(random, [301, 303, 307, 308]))
    },
  ],
]

/** The answer of a defective server in place of a reply: other bytes, another value, another status, or broken framing. */
export function mutateReply(
  { status = 200, text, headers }: Reply,
  random: SeededRandom,
  choice: Omit<Choice, 'more'>,
): WireAnswer {
  const end = random.below(4) === 0 ? 'reset' : 'close'
  const message = { first: firstLine(status), headers, body: Buffer.from(text) }
  return { ...mutateMessage(message, random, { ...choice, more: OF_REPLIES }), end }
}
