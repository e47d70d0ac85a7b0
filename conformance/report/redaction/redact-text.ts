import { counted } from '../visible.ts'

/** JSON members whose value is always a secret. `auth_tag` is not: it is evidence. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'token',
  'v',
  'encrypted_key',
  'payload',
  'revocation_key',
])

/** `[redacted 43 characters]`: only the length of the value remains. */
const redacted = (secret: string): string => `[redacted ${counted(secret.length, 'character')}]`

/** Receives each redacted value, so that it can be redacted in other texts too. */
export type Found = (secret: string) => void

/** A session id is a UUID. Only a UUID may stay of a token: any other first part may be the secret. */
const SESSION_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** Letters of both cases and a digit, or many digits: what a person wrote is not, a random value almost always. */
const RANDOM = /^(?:(?=.*[a-z])(?=.*[A-Z])(?=.*\d)|(?=(?:.*\d){4}))[\w\-+/=~.]{20,}$/

/**
 * Whether a token may be redacted in other texts: a subject may choose its token, and must not erase what a report says
 * of it.
 */
const looksRandom = (token: string): boolean => RANDOM.test(token) && !SESSION_ID.test(token)

/** Redacts the secret of `<session id>.<secret>`; a token of another form is redacted completely. */
export const redactToken = (token: string, foundAny: Found): string => {
  if (token === '' || token.includes('[redacted ')) return token
  const found: Found = (secret) => {
    if (looksRandom(secret)) foundAny(secret)
  }
  found(token)
  const dot = token.indexOf('.')
  if (dot < 0 || !SESSION_ID.test(token.slice(0, dot))) return redacted(token)
  const secret = token.slice(dot + 1)
  found(secret)
  return `${token.slice(0, dot)}.${redacted(secret)}`
}

/** The value of an Authorization header: the scheme stays, and the session id of a bearer token. */
export const redactCredentials = (value: string, found: Found): string => {
  const [, scheme, gap, credentials] = /^(\S+)(\s+)([\s\S]+)$/.exec(value) ?? []
  if (scheme === undefined || gap === undefined || credentials === undefined) {
    return redactToken(value, found)
  }
  return `${scheme}${gap}${redactToken(credentials, found)}`
}

const PEM = /-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----[^"]*?(?:-----END \1-----|(?="|$))/g

/** The first 27 bytes of the PEM forms of a private key, in base64: a PEM file in a JSON string. */
const PEM_IN_BASE64 =
  /LS0tLS1CRUdJTiB(?:QUklWQVRFIEtFW|SU0EgUFJJVkFURSBL|FQyBQUklWQVRFIEtF|FTkNSWVBURUQgUFJJ|PUEVOU1NIIFBSSVZB)[A-Za-z0-9+/=]*/g

const redactPrivateKeys = (text: string, found: Found): string => {
  const replace = (key: string): string => {
    found(key)
    return `[redacted private key, ${counted(key.length, 'character')}]`
  }
  return text.replace(PEM, replace).replace(PEM_IN_BASE64, replace)
}

const BEARER = /\b(bearer\s+)([\w\-+/=~]+\.[\w\-+/=~.]+)/gi

/**
 * The end of the string literal at `start`; the end of the text if it is truncated. No pattern: alternation in a
 * repetition exhausts the stack on a log of some megabytes.
 */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before - 1 > start && text[before - 1] === '\\') before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return text.length
}

/** The end of the object or array at `start`; the end of the text if it is truncated. */
const endOfBlock = (text: string, start: number): number => {
  const mark = /["[\]{}]/g
  mark.lastIndex = start
  let depth = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = endOfString(text, found.index)
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1
    if (depth <= 0) return mark.lastIndex
  }
  return text.length
}

const NUMBER = /-?[0-9][0-9.eE+-]*/y

/** The end of a secret's value. `null`, `true` and `false` are not secrets and end where they begin. */
const endOfValue = (text: string, start: number): number => {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first === '{' || first === '[') return endOfBlock(text, start)
  NUMBER.lastIndex = start
  return NUMBER.test(text) ? NUMBER.lastIndex : start
}

/** The value of a literal; for invalid JSON (truncated, or with a raw control) only the escapes are removed. */
const decoded = (literal: string): string => {
  if (!literal.includes('\\')) return literal.replace(/^"|"$/g, '')
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : literal
  } catch {
    return literal.replace(/^"|"$/g, '').replace(/\\([\s\S])/g, '$1')
  }
}

const redactValue = (literal: string, name: string, found: Found): string => {
  const value = literal.startsWith('"') ? decoded(literal) : literal
  if (value === '' || value.startsWith('[redacted ')) return literal
  if (name === 'token') return JSON.stringify(redactToken(value, found))
  found(value)
  return JSON.stringify(redacted(value))
}

/** JSON inside a JSON string, as in `metadata`. */
const redactInside = (literal: string, found: Found): string => {
  if (!literal.includes('\\')) return literal
  const inner = decoded(literal)
  if (!inner.includes('"')) return literal
  const clean = redactMembers(inner, found)
  return clean === inner ? literal : JSON.stringify(clean)
}

const endOfColon = (text: string, start: number): number => {
  const colon = /\s*:\s*/y
  colon.lastIndex = start
  return colon.test(text) ? colon.lastIndex : -1
}

/**
 * Redacts the secret members of JSON text and leaves every other byte unchanged, also in text that is truncated,
 * repeats a name, escapes characters of a name, or contains JSON inside a string.
 */
export const redactMembers = (text: string, found: Found): string => {
  const pieces: string[] = []
  let done = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', done)) {
    const end = endOfString(text, at)
    const literal = text.slice(at, end)
    const value = endOfColon(text, end)
    pieces.push(text.slice(done, at))
    done = end
    if (value >= 0 && SECRET_MEMBERS.has(decoded(literal))) {
      done = endOfValue(text, value)
      pieces.push(text.slice(at, value))
      pieces.push(redactValue(text.slice(value, done), decoded(literal), found))
    } else pieces.push(redactInside(literal, found))
  }
  return pieces.join('') + text.slice(done)
}

/** The name of a secret member between its quotes; inside other strings it may contain backslashes. */
const SECRET_NAME = new RegExp(
  `"\\\\*(?:${[...SECRET_MEMBERS].map((name) => [...name].join('\\\\*')).join('|')})\\\\*"`,
)

/**
 * Whether a text has a marker without which `redactSecrets` finds no secret. `\u` is one, since a name can be written
 * with such escapes.
 */
export const mayHoldSecret = (text: string): boolean =>
  text.includes('PRIVATE KEY') ||
  text.includes('LS0tLS1CRUdJTiB') ||
  text.includes('\\u') ||
  /bearer\s/i.test(text) ||
  SECRET_NAME.test(text)

/** Redacts private keys, bearer tokens and secret JSON members in any text. */
export const redactSecrets = (text: string, found: Found): string => {
  if (!mayHoldSecret(text)) return text
  const withoutTokens = redactPrivateKeys(text, found).replace(
    BEARER,
    (_, scheme: string, token: string) => scheme + redactToken(token, found),
  )
  return redactMembers(withoutTokens, found)
}
