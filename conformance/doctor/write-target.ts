import { dirname, relative, resolve } from 'node:path'
import type { Answers } from './interview.ts'
import type { Sketch } from './sketch.ts'

/** Text that YAML reads as just this text. */
function quote(text: string): string {
  return JSON.stringify(text)
}

function describePush(push: boolean | undefined): string {
  if (push === undefined) return 'whether it has push endpoints could not be seen'
  return push ? 'it has push endpoints' : 'it has no push endpoints'
}

function roleLines(role: string, url: string): readonly string[] {
  return url === '' ? [] : [`  ${role}:`, `    url: ${quote(url)}`]
}

/** The text of a target file at `out`: what was said, what was seen, and what else could be said. */
export function presentTarget(
  answers: Answers,
  sketch: Sketch,
  { out, loopback }: { readonly out: string; readonly loopback: boolean },
): string {
  const path = (file: string) => quote(relative(dirname(resolve(out)), resolve(file)))
  const versions = sketch.versions.map((version) => `'${version}'`).join(', ')
  const lines = [
    '# What Assay judges, and how it is reached. Paths are relative to this file.',
    `name: ${quote(answers.name)}`,
    `versions: [${versions}]  # ${sketch.versionsSeen}`,
    '# What it claims beyond the minimum, such as ima_log or uefi_log: what is claimed must hold.',
    `capabilities: []  # ${describePush(sketch.push)}`,
    'roles:',
    ...roleLines('verifier', answers.verifier),
    ...roleLines('registrar', answers.registrar),
    'tls:',
    `  ca: ${path(answers.ca)}`,
    `  admin: { certificate: ${path(answers.cert)}, key: ${path(answers.key)} }`,
    "# Whether it checks the EK certificates of Assay's virtual TPMs: unchecked, trusted, or",
    `# { install: [command, "\${ek_ca}"] }, which is run before every run.`,
    'ek_trust: unchecked',
    `dialect: ${sketch.dialect}`,
    'time: { quote_interval: 2s, verdict_within: 10s }',
    `safety: { loopback_only: ${loopback} }`,
  ]
  return `${lines.join('\n')}\n`
}
