import { thousands } from './visible.ts'

/** JSON members whose value is a secret wherever it stands. `auth_tag` is not one: it is evidence. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'token',
  'v',
  'encrypted_key',
  'payload',
  'revocation_key',
])

/** `[redacted 43 characters]`: what was there is gone, its length stays. */
const redacted = (secret: string): string => `[redacted ${thousands(secret.length)} characters]`

/** Tells the caller which value was taken out, so that it can be taken out elsewhere too. */
export type Found = (secret: string) => void

/** A session id is a UUID; only that may stay of a token, as a first part of any other kind may be the secret. */
const SESSION_ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** `<session id>.<secret>` with the secret taken out; a token of another form is taken out whole. */
export const redactToken = (token: string, found: Found): string => {
  if (token === '' || token.includes('[redacted ')) return token
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

/** The first 27 bytes of the PEM forms of a private key, in base64: a PEM file carried in a JSON string. */
const PEM_IN_BASE64 =
  /LS0tLS1CRUdJTiB(?:QUklWQVRFIEtFW|SU0EgUFJJVkFURSBL|FQyBQUklWQVRFIEtF|FTkNSWVBURUQgUFJJ|PUEVOU1NIIFBSSVZB)[A-Za-z0-9+/=]*/g

const redactPrivateKeys = (text: string, found: Found): string => {
  const replace = (key: string): string => {
    found(key)
    return `[redacted private key, ${thousands(key.length)} characters]`
  }
  return text.replace(PEM, replace).replace(PEM_IN_BASE64, replace)
}

const BEARER = /\b(bearer\s+)([\w\-+/=~]+\.[\w\-+/=~.]+)/gi

/** A JSON string literal; one that is cut off runs to the end of the text. */
const STRING = String.raw`"(?:[^"\\]|\\[\s\S])*(?:"|$)`

/** A string literal, and when it is a member's name, the scalar value after it. */
const STRING_OR_MEMBER = new RegExp(
  String.raw`(${STRING})(?:(\s*:\s*)(${STRING}|-?[0-9][0-9.eE+-]*|(?=[\[{])))?`,
  'g',
)

const decoded = (literal: string): string => {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : literal
  } catch {
    return literal.replace(/^"|"$/g, '')
  }
}

/** Where the object or array that begins at `start` ends; the end of the text when it is cut off. */
const endOfBlock = (text: string, start: number): number => {
  const token = new RegExp(String.raw`${STRING}|[\[{\]}]`, 'g')
  token.lastIndex = start
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth += 1
    if (match[0] === '}' || match[0] === ']') depth -= 1
    if (depth === 0) return token.lastIndex
  }
  return text.length
}

const redactScalar = (literal: string, name: string, found: Found): string => {
  const value = literal.startsWith('"') ? decoded(literal) : literal
  if (value === '' || value.startsWith('[redacted ')) return literal
  if (name === 'token') return JSON.stringify(redactToken(value, found))
  found(value)
  return JSON.stringify(redacted(value))
}

/** JSON inside a JSON string, as `metadata` carries it. */
const redactInside = (literal: string, found: Found): string => {
  const inner = decoded(literal)
  if (!inner.includes('"')) return literal
  const clean = redactMembers(inner, found)
  return clean === inner ? literal : JSON.stringify(clean)
}

const redactMember = (match: RegExpExecArray, found: Found): string => {
  const [whole, name = '', colon, value = ''] = match
  if (colon === undefined) return redactInside(name, found)
  if (SECRET_MEMBERS.has(decoded(name)))
    return name + colon + redactScalar(value, decoded(name), found)
  return value.startsWith('"') ? name + colon + redactInside(value, found) : whole
}

/**
 * Takes the secret members out of JSON text and leaves every other byte as it came: also in text that is cut off,
 * has a name twice, spells a name with escapes, or carries JSON inside a string.
 */
export const redactMembers = (text: string, found: Found): string => {
  const pieces: string[] = []
  const scan = new RegExp(STRING_OR_MEMBER)
  let done = 0
  for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
    pieces.push(text.slice(done, match.index), redactMember(match, found))
    done = scan.lastIndex
    if (match[2] !== undefined && match[3] === '' && SECRET_MEMBERS.has(decoded(match[1] ?? ''))) {
      done = endOfBlock(text, done)
      pieces.push(JSON.stringify(redacted(text.slice(scan.lastIndex, done))))
      scan.lastIndex = done
    }
  }
  return pieces.join('') + text.slice(done)
}

/** Takes private keys, bearer tokens and secret JSON members out of any text. */
export const redactSecrets = (text: string, found: Found): string =>
  redactMembers(
    redactPrivateKeys(text, found).replace(
      BEARER,
      (_, scheme: string, token: string) => scheme + redactToken(token, found),
    ),
    found,
  )
