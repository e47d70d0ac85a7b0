import type { DialectKeyRow } from './dialect-key.ts'

/** What administrators say, and what is judged for third parties and of agents that are polled. */
export const ADMINISTRATION_KEYS = {
  'boot-policy-names': {
    about: 'names of the boot policy in the add-agent request',
    values: ['mb_refstate', 'mb_policy', 'both'],
    document: 'mb_refstate',
    keylime: 'mb_policy',
    lines: [66, 100],
    ambiguity: 'MBNAMES',
  },
  'verify-evidence-body': {
    about: 'body of verify/evidence: its members at the top, or under `data` beside a `type`',
    values: ['flat', 'typed'],
    document: 'flat',
    keylime: 'typed',
    lines: [184],
  },
  'boot-log-name': {
    about: 'name of the boot log in verify/evidence',
    values: ['mb_list', 'mb_log'],
    document: 'mb_list',
    keylime: 'mb_log',
    lines: [184],
    ambiguity: 'MBNAMES',
  },
  'rsa-signatures': {
    about: 'schemes in which the quote of an RSA key can be signed for verify/evidence',
    values: ['rsassa-or-rsapss', 'rsassa'],
    document: 'rsassa-or-rsapss',
    keylime: 'rsassa-or-rsapss',
    lines: [180, 184],
  },
  'quoted-banks': {
    about: 'whether a quote for verify/evidence can be over several banks at once',
    values: ['several', 'one'],
    document: 'several',
    keylime: 'several',
    lines: [184],
  },
  'quoted-ima-pcr': {
    about:
      'whether verify/evidence judges a quote of PCR 10 by a static policy alone, or wants the measurement list beside it',
    values: ['alone', 'with-list'],
    document: 'alone',
    keylime: 'alone',
    lines: [176, 184],
  },
  'ima-templates': {
    about:
      'templates that a measurement list can be in: every one of the kernel, or ima, ima-ng, ima-sig and ima-buf alone',
    values: ['every', 'plain'],
    document: 'every',
    keylime: 'every',
    lines: [152, 184],
  },
  'ima-names': {
    about: 'names that a text measurement list can hold: any, or those of one line',
    values: ['any', 'one-line'],
    document: 'any',
    keylime: 'any',
    lines: [152, 184],
  },
  'runtime-policy-keys': {
    about: 'whether verify/evidence takes keys of file signatures from the runtime policy',
    values: ['read', 'unread'],
    document: 'read',
    keylime: 'read',
    lines: [184],
  },
  boottime: {
    about:
      'what a pull agent says of its boot: the seconds since it, or nothing, as a verifier that reads the instant of it takes each other number for a reboot',
    values: ['elapsed', 'absent'],
    document: 'elapsed',
    keylime: 'absent',
    lines: [176, 294],
    ambiguity: 'BOOTTIME',
  },
  'policy-delete-path': {
    about: 'path on which a named runtime policy is deleted',
    values: ['allowlist', 'allowlists'],
    document: 'allowlist',
    keylime: 'allowlists',
    lines: [262],
    ambiguity: 'ALLOWPATH',
  },
} as const satisfies Readonly<Record<string, DialectKeyRow>>
