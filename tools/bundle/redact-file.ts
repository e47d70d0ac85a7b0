import { homedir } from 'node:os'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { createRedactor } from '../../conformance/report/redaction/redact.ts'

const REDACTED = '[redacted]'

/** Forms that only secrets have: tokens of services, JSON Web Tokens, and armoured keys. */
const SECRET_FORMS: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\bpypi-[\w-]{30,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bhv[sbr]\.[\w-]{20,}/g,
  /\bdop_v1_[0-9a-f]{40,}/g,
  /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN PGP PRIVATE KEY BLOCK-----[\s\S]*?-----END PGP PRIVATE KEY BLOCK-----/g,
  /\bhooks\.slack\.com\/services\/[\w/]+/g,
]

/** `user:password@` in a URL. */
const USER_INFO = /(:\/\/[^\s:/@"']*):[^\s@/"']+@/g

/** Credentials of an HTTP header, in a log or a command line. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(\\?["']?\s*[:=]\s*)[^\r\n"']+/gi

const SECRET_WORD =
  '(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?|token|cookie|pin)'

/** A value with a name that says that it is secret: `PGPASSWORD=x`, `"password": "x"`, `password: x`, `--token x`. */
const NAMED = new RegExp(
  `((?<![\\w/.-])-{0,2}[\\w.-]*${SECRET_WORD}\\\\*["']?(?:\\s*[=:]\\s*|(?<=--[\\w-]+)\\s+)\\\\*["']?)(\\$\\{[^}]*\\}|[^\\s"',;{}\\\\]+)`,
  'gi',
)

/** Values that are no secrets: numbers, durations, words of JSON, placeholders, and what is redacted already. */
const PLAIN = /^(?:\d{1,9}(?:ms|s|m|h|d)?|true|false|null|none|\$\{.*|\[redacted.*)$/i

/**
 * A text of a bundle without secrets: credentials in URLs and headers, private keys, tokens of well-known forms, values
 * whose name says that they are secret, and the paths of this machine.
 */
export function redactFile(text: string): string {
  const paths = [
    { prefix: packageRoot(), name: '<assay>' },
    { prefix: process.cwd(), name: '<cwd>' },
    { prefix: homedir(), name: '<home>' },
  ].filter(({ prefix }) => prefix.length > 1)
  const clean = SECRET_FORMS.reduce(
    (dirty, form) => dirty.replace(form, REDACTED),
    createRedactor(paths).text(text),
  )
  return clean
    .replace(USER_INFO, `$1:${REDACTED}@`)
    .replace(HEADER, (all, name: string, gap: string) =>
      all.includes('[redacted') ? all : `${name}${gap}${REDACTED}`,
    )
    .replace(NAMED, (all, name: string, value: string) =>
      PLAIN.test(value) ? all : `${name}${REDACTED}`,
    )
}
