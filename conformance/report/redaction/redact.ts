import type { CheckResult, Observation, ScenarioResult } from '../result.ts'
import type {
  TranscriptEntry,
  WireEntry,
  WireRequest,
  WireResponse,
} from '../transcripts/transcript-entry.ts'
import { counted } from '../visible.ts'
import { KnownValues } from './known-values.ts'
import { type Found, redactCredentials, redactSecrets, redactToken } from './redact-text.ts'

/** An absolute path of this machine and its name in reports. */
interface HostPath {
  readonly prefix: string
  readonly name: string
}

/**
 * Redacts secrets before recording. It remembers the secrets that the harness sent and the tokens of sessions, and redacts
 * them in later text too. Whatever else a subject sends is redacted only where its name says that it is a secret.
 */
export interface Redactor {
  entry(entry: TranscriptEntry): TranscriptEntry
  /** Remembers the secrets of an entry that is not recorded. */
  learn(entry: TranscriptEntry): void
  text(text: string): string
  scenario(scenario: ScenarioResult): ScenarioResult
}

type Clean = (text: string) => string

/** Shorter values occur in other text by chance. */
const SHORTEST_REMEMBERED = 12

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization'])
const COOKIES: ReadonlySet<string> = new Set(['cookie', 'set-cookie'])
const SECRET_PARAMETERS = /([?&](?:token|v|encrypted_key|payload|revocation_key)=)([^&#]*)/g

const cleanHeader = (name: string, value: string, clean: Clean, found: Found): string => {
  const lower = name.toLowerCase()
  if (CREDENTIALS.has(lower)) return clean(redactCredentials(value, found))
  if (COOKIES.has(lower)) return `[redacted ${counted(value.length, 'character')}]`
  return clean(value)
}

const cleanHeaders = (headers: Readonly<Record<string, string>>, clean: Clean, found: Found) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, cleanHeader(name, value, clean, found)]),
  )

const cleanUrl = (url: string, clean: Clean, found: Found): string =>
  clean(
    url.replace(
      SECRET_PARAMETERS,
      (_, name: string, value: string) => name + redactToken(value, found),
    ),
  )

/** How to clean a text, and what to do with a secret in it. */
interface Cleaning {
  readonly clean: Clean
  readonly found: Found
}

/** Cleaning of what the harness sent, whose secrets it learns, and of what it received. */
interface Sides {
  readonly sent: Cleaning
  readonly received: Cleaning
}

const SESSION_PATH = /\/sessions(?:\/[^/?#]*)?\/?(?:[?#]|$)/

/** Finds the token of a reply that issues one: the only secret that a subject makes and the harness then uses. */
const findIssued = ({ request, response, by_subject }: WireEntry, found: Found): void => {
  if (response === undefined || by_subject || !SESSION_PATH.test(request.url)) return
  const token = /"token"\s*:\s*"([^"\\]{1,1024})"/.exec(response.body)?.[1]
  if (token !== undefined) redactToken(token, found)
}

const cleanRequest = (request: WireRequest, { clean, found }: Cleaning): WireRequest => ({
  ...request,
  url: cleanUrl(request.url, clean, found),
  headers: cleanHeaders(request.headers, clean, found),
  ...(request.body === undefined ? {} : { body: clean(request.body) }),
})

const cleanResponse = (response: WireResponse, { clean, found }: Cleaning): WireResponse => ({
  ...response,
  headers: cleanHeaders(response.headers, clean, found),
  body: clean(response.body),
})

const cleanWire = (entry: WireEntry, { sent, received }: Sides): WireEntry => {
  const { by_subject: bySubject, operation: _, ...rest } = entry
  const { request, response, failure } = rest
  findIssued(entry, sent.found)
  return {
    ...rest,
    speaker: received.clean(entry.speaker),
    request: cleanRequest(request, bySubject ? received : sent),
    ...(response && { response: cleanResponse(response, bySubject ? sent : received) }),
    ...(failure === undefined ? {} : { failure: received.clean(failure) }),
  }
}

const cleanEntry = (entry: TranscriptEntry, sides: Sides): TranscriptEntry => {
  const { clean } = sides.received
  switch (entry.lane) {
    case 'wire':
      return cleanWire(entry, sides)
    case 'tpm':
      return { ...entry, machine: clean(entry.machine), detail: clean(entry.detail) }
    case 'note':
      return { ...entry, text: clean(entry.text) }
  }
}

const cleanValues = <T extends Pick<CheckResult, 'expected' | 'received'>>(
  check: T,
  clean: Clean,
): T => ({
  ...check,
  expected: clean(check.expected),
  received: clean(check.received),
})

const cleanObservation = (seen: Observation, clean: Clean): Observation => ({
  ...seen,
  received: clean(seen.received),
})

const cleanScenario = (scenario: ScenarioResult, clean: Clean): ScenarioResult => ({
  ...scenario,
  ...(scenario.reason === undefined ? {} : { reason: clean(scenario.reason) }),
  ...(scenario.failed_step === undefined
    ? {}
    : { failed_step: cleanValues(scenario.failed_step, clean) }),
  checks: scenario.checks.map((check) => cleanValues(check, clean)),
  observations: scenario.observations.map((seen) => cleanObservation(seen, clean)),
  repeat: clean(scenario.repeat),
})

/** The most secrets that a run remembers; the oldest are forgotten, whose scenarios have ended. */
const MOST_REMEMBERED = 4096

/** A redactor for one run. `known` are secrets that exist before the first recording. */
export const createRedactor = (
  paths: readonly HostPath[],
  known: readonly string[] = [],
): Redactor => {
  const names = new KnownValues()
  for (const { prefix, name } of paths) names.add(prefix, name)
  const nameOf = (secret: string) => `[redacted ${counted(secret.length, 'character')}]`
  for (const secret of known) names.add(secret, nameOf(secret))
  const secrets = new KnownValues(MOST_REMEMBERED)
  const found: Found = (secret) => {
    if (secret.length >= SHORTEST_REMEMBERED) secrets.add(secret, nameOf(secret))
  }
  const ignored: Found = () => undefined
  const cleanWith = (learn: Found): Clean => {
    return (dirty) => names.replaceIn(secrets.replaceIn(redactSecrets(dirty, learn)))
  }
  const text = cleanWith(ignored)
  const received: Cleaning = { clean: text, found: ignored }
  const kept: Sides = { sent: { clean: cleanWith(found), found }, received }
  const untouched: Cleaning = { clean: (dirty) => dirty, found: ignored }
  const learnt: Cleaning = { clean: (dirty) => redactSecrets(dirty, found), found }
  return {
    entry: (one) => cleanEntry(one, kept),
    learn: (one) => void cleanEntry(one, { sent: learnt, received: untouched }),
    text,
    scenario: (scenario) => cleanScenario(scenario, text),
  }
}

/**
 * A transcript entry without secrets: credentials in headers, secret JSON members and query parameters, private keys,
 * cookies, and host paths, which are replaced by their names. `auth_tag` stays: it is evidence.
 */
export const redactEntry = (
  entry: TranscriptEntry,
  paths: readonly HostPath[] = [],
): TranscriptEntry => createRedactor(paths).entry(entry)

/** A secret that a test plants to find out whether a report contains it. */
interface PlantedSecret {
  readonly name: string
  readonly value: string
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)

/** The spellings of a value in a report: plain, in JSON, in JSON within JSON, in a URL, in hex, in base64. */
const spellings = (value: string): readonly string[] => {
  const bytes = Buffer.from(value)
  return [
    value,
    inJson(value),
    inJson(inJson(value)),
    encodeURIComponent(value),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#96;': '`',
  '&#123;': '{',
  '&amp;': '&',
}

/** Markup as a reader sees it: tags may split a secret, and entities may spell it. */
const asRead = (text: string): string =>
  text.replace(/<[^>]*>/g, '').replace(/&[a-z0-9#]+;/g, (entity) => ENTITIES[entity] ?? entity)

/** Names of the planted secrets that occur in the text in any usual spelling; empty if there are none. */
export const findSecrets = (text: string, planted: readonly PlantedSecret[]): readonly string[] => {
  const views = [text, asRead(text)]
  const shown = (spelling: string): boolean => views.some((view) => view.includes(spelling))
  return planted.filter(({ value }) => spellings(value).some(shown)).map(({ name }) => name)
}
