import type { DialectKeyRow } from './dialect-key.ts'

/** Forms of administrator requests, of third-party evidence and of polled agents. */
export const ADMINISTRATION_KEYS = {
  'boot-policy-names': {
    about: 'member names of the boot policy in the add-agent request',
    values: ['mb_refstate', 'mb_policy', 'both'],
    document: 'mb_refstate',
    keylime: 'mb_policy',
    lines: [66, 100],
    ambiguity: 'MBNAMES',
  },
  'verify-evidence-body': {
    about: 'body of verify/evidence: members at the top level, or under `data` next to `type`',
    values: ['flat', 'typed'],
    document: 'flat',
    keylime: 'typed',
    lines: [184],
  },
  'boot-log-name': {
    about: 'member name of the boot log in verify/evidence',
    values: ['mb_list', 'mb_log'],
    document: 'mb_list',
    keylime: 'mb_log',
    lines: [184],
    ambiguity: 'MBNAMES',
  },
  'rsa-signatures': {
    about: 'signature schemes of RSA quotes that verify/evidence accepts',
    values: ['rsassa-or-rsapss', 'rsassa'],
    document: 'rsassa-or-rsapss',
    keylime: 'rsassa-or-rsapss',
    lines: [180, 184],
  },
  'quoted-banks': {
    about: 'whether verify/evidence accepts a quote over several PCR banks',
    values: ['several', 'one'],
    document: 'several',
    keylime: 'several',
    lines: [184],
  },
  'quoted-ima-pcr': {
    about:
      'whether verify/evidence evaluates a quote of PCR 10 against a static policy alone, or requires the measurement list',
    values: ['alone', 'with-list'],
    document: 'alone',
    keylime: 'alone',
    lines: [176, 184],
  },
  'ima-templates': {
    about:
      'accepted measurement list templates: every kernel template, or only ima, ima-ng, ima-sig and ima-buf',
    values: ['every', 'plain'],
    document: 'every',
    keylime: 'every',
    lines: [152, 184],
  },
  'ima-names': {
    about: 'accepted file names in a text measurement list: any, or only names without line breaks',
    values: ['any', 'one-line'],
    document: 'any',
    keylime: 'any',
    lines: [152, 184],
  },
  'boot-log-formats': {
    about:
      'firmware logs that verify/evidence reads: crypto-agile ones and those of TCG 1.2, or only crypto-agile ones',
    values: ['every', 'crypto-agile'],
    document: 'every',
    keylime: 'every',
    lines: [184],
  },
  'runtime-policy-keys': {
    about: 'whether verify/evidence reads file signature keys from the runtime policy',
    values: ['read', 'unread'],
    document: 'read',
    keylime: 'read',
    lines: [184],
  },
  boottime: {
    about:
      'boottime of a pull agent: seconds since boot, or absent, because a verifier that expects the boot instant treats every other number as a reboot',
    values: ['elapsed', 'absent'],
    document: 'elapsed',
    keylime: 'absent',
    lines: [176, 294],
    ambiguity: 'BOOTTIME',
  },
  'policy-delete-path': {
    about: 'path of the request that deletes a named runtime policy',
    values: ['allowlist', 'allowlists'],
    document: 'allowlist',
    keylime: 'allowlists',
    lines: [262],
    ambiguity: 'ALLOWPATH',
  },
} as const satisfies Readonly<Record<string, DialectKeyRow>>
