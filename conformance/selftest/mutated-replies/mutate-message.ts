import { parseJson } from '../../../simulator/agents/http/parse-json.ts'
import type { SeededRandom } from '../../attempt/random.ts'
import { mutateValue, oneOf } from './mutate-value.ts'

/** What a defective peer writes to a connection. */
export interface WireMessage {
  /** The kind of the defect. */
  readonly kind: string
  readonly bytes: Buffer
}

/** A message of HTTP: its first line, headers and body. */
export interface Message {
  readonly first: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Bodies that are no JSON object, or JSON that readers disagree on. */
export const TEXTS = [
  ...['', '[]', 'null', '"x"', '7', '{', '<html></html>', '{"a":1}{"b":2}', 'NaN', "{'code':200}"],
  ...['\ufeff{"code":200,"status":"Success","results":{}}', '{"code":200,}', '{"code":1e999}'],
  ...['{"code":200,"status":"Success","results":{"__proto__":{"valid":1}}}', '// {}\n{}'],
  '['.repeat(900) + ']'.repeat(900),
] as const

const TYPES = ['text/html', 'text/plain', '', 'application/json; charset=utf-16', 'a'.repeat(4096)]

/** Numbers that JavaScript reads as others, in place of one in a JSON text. */
const NUMBERS = ['1e999', '-1e999', '9007199254740993', '-0', '0.1', '1E400', '00', '1e-400']

type Mutate = (message: Message, random: SeededRandom, met: readonly unknown[]) => Message

/** A kind of defect, how often it is chosen, and what it does to a message. */
export type Mutation = readonly [kind: string, weight: number, mutate: Mutate]

export function withBody(message: Message, body: string | Buffer): Message {
  return { ...message, body: Buffer.from(body) }
}

const textOf = ({ body }: Message) => body.toString('utf8')

/** Defects of a body and of the headers that describe it. */
const OF_BODIES: readonly Mutation[] = [
  [
    'value',
    24,
    (message, random, met) => {
      const value: unknown = JSON.parse(textOf(message) || 'null')
      return withBody(message, JSON.stringify(mutateValue(value, random, met)) ?? '')
    },
  ],
  [
    'number',
    3,
    (message, random) => {
      return withBody(
        message,
        textOf(message).replace(/(?<=[:[,])-?\d+(?=[,}\]])/, oneOf(random, NUMBERS)),
      )
    },
  ],
  [
    'name twice',
    3,
    (message, random) => {
      return withBody(
        message,
        textOf(message).replace(/("\w+"):/g, (whole, name) =>
          random.below(3) === 0
            ? `${name}:${oneOf(random, ['null', '0', '"x"', '[]', '{}'])},${whole}`
            : whole,
        ),
      )
    },
  ],
  [
    'cut',
    3,
    (message, random) =>
      withBody(message, message.body.subarray(0, random.below(message.body.length + 1))),
  ],
  [
    'byte',
    3,
    (message, random) => {
      const body = Buffer.from(message.body)
      if (body.length > 0) body[random.below(body.length)] = random.below(256)
      return withBody(message, body)
    },
  ],
  ['text', 3, (message, random) => withBody(message, oneOf(random, TEXTS))],
  [
    'type',
    2,
    (message, random) => {
      return { ...message, headers: { ...message.headers, 'content-type': oneOf(random, TYPES) } }
    },
  ],
  [
    'coding',
    1,
    (message, random) => {
      return {
        ...message,
        headers: { ...message.headers, 'content-encoding': oneOf(random, ['gzip', 'br', 'x']) },
      }
    },
  ],
]

const CRLF = '\r\n'

function headOf({ first, headers }: Message, more: readonly string[]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [first, ...lines, ...more, CRLF].join(CRLF)
}

const whole = (message: Message) => [
  headOf(message, [`content-length: ${message.body.length}`]),
  message.body,
]

/** Defects of the framing, as the parts of the bytes. */
export const FRAMINGS: readonly (readonly [
  kind: string,
  frame: (message: Message, random: SeededRandom) => readonly (string | Buffer)[],
])[] = [
  [
    'length too long',
    (message) => [headOf(message, [`content-length: ${message.body.length + 9}`]), message.body],
  ],
  [
    'length too short',
    (message) => [
      headOf(message, [`content-length: ${Math.max(message.body.length - 9, 0)}`]),
      message.body,
    ],
  ],
  [
    'length absurd',
    (message, random) => [
      headOf(message, [
        `content-length: ${oneOf(random, ['-1', '1e3', '99999999999999999999', '', '7, 8'])}`,
      ]),
      message.body,
    ],
  ],
  [
    'two lengths',
    (message) => [
      headOf(message, ['content-length: 1', `content-length: ${message.body.length}`]),
      message.body,
    ],
  ],
  [
    'chunks',
    (message, random) => [
      headOf(message, ['transfer-encoding: chunked']),
      ...[
        message.body.length.toString(16),
        CRLF,
        message.body,
        CRLF,
        oneOf(random, [
          '0\r\n\r\n',
          '',
          '-1\r\n\r\n',
          'zz\r\n',
          'fffffffffffffffff\r\n',
          '0\r\nx: y\r\n\r\n',
        ]),
      ],
    ],
  ],
  [
    'chunk of another size',
    (message) => [
      headOf(message, ['transfer-encoding: chunked']),
      '5\r\n',
      message.body,
      '\r\n0\r\n\r\n',
    ],
  ],
  [
    'interim',
    (message, random) => [
      `HTTP/1.1 ${oneOf(random, [100, 101, 102, 103, 199])} Wait\r\n\r\n`,
      ...whole(message),
    ],
  ],
  ['twice', (message) => [...whole(message), ...whole(message)]],
  ['until the end', (message) => [headOf(message, []), message.body]],
  ['no head', (message) => [message.body]],
  [
    'broken head',
    (message, random) => [
      oneOf(random, [
        'HTTP/1.1 two hundred\r\n\r\n',
        'HTTP/9.9 200 OK\r\n\r\n',
        'HTTP/1.1 200',
        '\u0000\r\n',
        'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
        'HTTP/1.1 200 OK\r\n: \r\n\r\n',
      ]),
      message.body,
    ],
  ],
  [
    'headers',
    (message, random) => [
      headOf(
        message,
        Array.from({ length: oneOf(random, [3, 1500]) }, (_, at) => `x-${at}: ${'y'.repeat(20)}`),
      ),
      message.body,
    ],
  ],
  ['nothing', () => []],
]

const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'content-encoding'],
])

/** Of so many messages one has a defect of its framing. */
const FRAMED = 8

export interface Choice {
  /** Values of other messages. */
  readonly met: readonly unknown[]
  /** The one kind of defect; default: any. */
  readonly only?: string | undefined
  /** Defects that only requests have, or only replies. */
  readonly more: readonly Mutation[]
}

/** Places one defect in a message: another body, other headers, one of `more`, or broken framing. */
export function mutateMessage(
  given: Message,
  random: SeededRandom,
  { met, only, more }: Choice,
): WireMessage {
  const kept = Object.entries(given.headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
  const message = { ...given, headers: Object.fromEntries(kept) }
  const joined = (parts: readonly (string | Buffer)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part)))
  if (only === undefined && random.below(FRAMED) === 0) {
    const [kind, frame] = oneOf(random, FRAMINGS)
    return { kind, bytes: joined(frame(message, random)) }
  }
  const hasBody = message.body.length > 0
  const weighted = [...(hasBody ? OF_BODIES : []), ...more].flatMap((row) =>
    Array.from({ length: row[1] }, () => row),
  )
  const isJson = parseJson(message.body.toString('utf8')) !== undefined
  const chosen = weighted.filter(
    ([kind]) => kind === (only ?? kind) && (kind !== 'value' || isJson),
  )
  const [kind, , mutate] = oneOf(random, chosen.length > 0 ? chosen : weighted)
  return { kind, bytes: joined(whole(mutate(message, random, met))) }
}
