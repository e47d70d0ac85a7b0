import { dirname, relative, resolve } from 'node:path'
import { targetSchema } from '../target/check-target.ts'
import type { Draft } from './draft.ts'
import type { Answers } from './interview.ts'

/** Text as a YAML scalar. */
function quote(text: string): string {
  return JSON.stringify(text)
}

function describePush(push: boolean | undefined): string {
  if (push === undefined) return 'whether it has push endpoints is unknown'
  return push ? 'it has push endpoints' : 'it has no push endpoints'
}

/** The capabilities of which agents have shown that the deployment has them, or that it lacks them. */
function shown({ capabilities = new Map() }: Draft, has: boolean): readonly string[] {
  return [...capabilities].filter(([, answer]) => answer === has).map(([word]) => word)
}

function describeCapabilities(draft: Draft): string {
  const absent = shown(draft, false)
  const lacks = absent.length === 0 ? '' : `; it lacks ${absent.join(', ')}`
  return `${describePush(draft.push)}${lacks}`
}

function roleLines(role: string, url: string): readonly string[] {
  return url === '' ? [] : [`  ${role}:`, `    url: ${quote(url)}`]
}

const DEFAULTS: Readonly<Record<string, string>> = { quote_interval: '2s', verdict_within: '10s' }

function presentTimes(times: Readonly<Record<string, string>>): string {
  return Object.entries(times)
    .map(([key, duration]) => `${key}: ${duration}`)
    .join(', ')
}

export interface TargetDetails {
  /** The file to write; paths are relative to it. */
  readonly out: string
  readonly loopback: boolean
  /** URL of the registrar's HTTP port. */
  readonly http?: string | undefined
  /** Configured times by their key. */
  readonly time?: Readonly<Record<string, string>>
}

/** The text of a target file at `out`: answers, probed values, and comments on other keys. */
export function presentTarget(
  answers: Answers,
  draft: Draft,
  { out, loopback, http, time }: TargetDetails,
): string {
  const path = (file: string) => quote(relative(dirname(resolve(out)), resolve(file)))
  const versions = draft.versions.map((version) => `'${version}'`).join(', ')
  const lines = [
    '# The deployment under test. Paths are relative to this file.',
    `$schema: ${path(targetSchema())}  # for editors`,
    `name: ${quote(answers.name)}`,
    `versions: [${versions}]  # ${draft.versionsNote}`,
    '# Optional features it has, as far as they show from outside; every claim is tested.',
    `capabilities: [${shown(draft, true).join(', ')}]  # ${describeCapabilities(draft)}`,
    'roles:',
    ...roleLines('verifier', answers.verifier),
    ...roleLines('registrar', answers.registrar),
    ...(answers.registrar === '' || http === undefined ? [] : [`    http: ${quote(http)}`]),
    'tls:',
    `  ca: ${path(answers.ca)}`,
    `  admin: { certificate: ${path(answers.cert)}, key: ${path(answers.key)} }`,
    "# Whether it checks the EK certificates of Assay's virtual TPMs: unchecked, trusted, or",
    `# { install: [command, "\${ek_ca}"] }, which is run before every test run.`,
    'ek_trust: unchecked',
    `dialect: ${draft.dialect}`,
    `time: { ${presentTimes({ ...DEFAULTS, ...time })} }`,
    `safety: { loopback_only: ${loopback} }`,
  ]
  return `${lines.join('\n')}\n`
}
