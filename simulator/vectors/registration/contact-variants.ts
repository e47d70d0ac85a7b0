import { fixture } from '../fixtures.ts'
import type { RegistrationVariant } from './registration.ts'

type Outcome = RegistrationVariant['outcome']

const UNSAFE = 'agent_id: '
const UUID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** Ids with a description, the expected outcome, and whether the reference refuses them. */
const IDS: readonly (readonly [name: string, what: string, id: string, Outcome, code?: string])[] =
  [
    [
      'newline',
      'holds a line that looks like one of a log',
      'a\n2026-01-01 INFO b',
      'refused',
      UNSAFE,
    ],
    [
      'newline-after-uuid',
      'is a UUID and a line that looks like one of a log',
      `${UUID}\n2026-01-01 INFO b`,
      'refused',
      UNSAFE,
    ],
    ['line-end', 'is a UUID with a line end behind it', `${UUID}\n`, 'refused', UNSAFE],
    ['line-end-before', 'is a UUID with a line end before it', `\n${UUID}`, 'refused', UNSAFE],
    ['path-after-uuid', 'is a UUID and a path', `${UUID}/../a`, 'refused', UNSAFE],
    ['nul', 'holds a NUL', 'a\0b', 'refused', UNSAFE],
    ['parent', 'climbs a directory', '../agents', 'refused', UNSAFE],
    ['slash', 'holds a slash', 'a/b', 'refused', UNSAFE],
    ['percent', 'holds an escaped slash as its text', 'a%2Fb', 'refused', UNSAFE],
    ['one-character', 'has one character', 'a', 'either'],
    ['256-characters', 'has 256 characters', 'a'.repeat(256), 'either', UNSAFE],
    ['upper-case', 'is a UUID in capitals', UUID.toUpperCase(), 'either'],
    ['braces', 'is a UUID in braces', `{${UUID}}`, 'either', UNSAFE],
    ['64-hex', 'is a digest', 'ab'.repeat(32), 'either'],
    ['hash-ek', 'is the word that agents replace by a digest', 'hash_ek', 'either'],
    ['emoji', 'holds an emoji', 'agent\u{1f600}', 'either', UNSAFE],
    ['right-to-left', 'holds a mark that turns what follows', 'a\u200fb', 'either', UNSAFE],
  ]

/** Case 54: ids that are not UUIDs. */
export const ID_VARIANTS: readonly RegistrationVariant[] = IDS.map(
  ([name, what, agent_id, outcome, code]) => ({
    case: 54,
    id: `e5-54-id-${name}`,
    what: `the id of the agent ${what}`,
    of: 'rsa',
    change: { agent_id },
    outcome,
    ...(code === undefined ? {} : { code }),
  }),
)

const CERTIFICATE = new TextDecoder().decode(fixture('swtpm-localca-issuercert.pem'))
const NO_SECRET = '-----BEGIN PRIVATE KEY-----\nbm9ib2R5J3Mga2V5\n-----END PRIVATE KEY-----\n'

const CONTACTS: readonly (readonly [
  name: string,
  what: string,
  change: RegistrationVariant['change'],
  outcome: Outcome,
  code?: string,
])[] = [
  ['port-number', 'the port is a number', { port: 9002 }, 'either'],
  ['port-zero', 'the port is 0', { port: '0' }, 'either'],
  ['port-65536', 'the port is one above the highest', { port: '65536' }, 'either', 'port: '],
  ['port-blank', 'a blank follows the port', { port: '443 ' }, 'either', '/port: '],
  ['port-negative', 'the port is negative', { port: '-1' }, 'either', '/port: '],
  ['ip-v6', 'the address is one of IPv6', { ip: '::1' }, 'either'],
  ['ip-name', 'the address is a host name', { ip: 'agent.example' }, 'either'],
  [
    'ip-metadata',
    "the address is that of a cloud's own service",
    { ip: '169.254.169.254' },
    'either',
  ],
  [
    'ip-10-kb',
    'the address has 10,240 characters',
    { ip: { $repeat: '1', count: 10_240 } },
    'either',
    '/ip: ',
  ],
  ['mtls-null', 'there is no certificate of the agent', { mtls_cert: null }, 'either'],
  [
    'mtls-two',
    "the agent's certificate is followed by a second one",
    { mtls_cert: CERTIFICATE + CERTIFICATE },
    'either',
  ],
  [
    'mtls-key',
    "the agent's certificate is followed by a private key",
    { mtls_cert: CERTIFICATE + NO_SECRET },
    'either',
    'holds something besides certificates',
  ],
]

/** Case 56: contact address and server certificate of the agent. */
export const CONTACT_VARIANTS: readonly RegistrationVariant[] = CONTACTS.map(
  ([name, what, change, outcome, code]) => ({
    case: 56,
    id: `e5-56-${name}`,
    what,
    of: 'rsa',
    change,
    outcome,
    ...(code === undefined ? {} : { code }),
  }),
)
