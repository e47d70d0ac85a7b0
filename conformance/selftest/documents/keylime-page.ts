import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'

/** Options of one section, and the key that takes their value or the reason why none does. */
interface OptionRow {
  readonly options: readonly string[]
  readonly becomes?: string
  readonly note?: string
  readonly why?: string
}

/** The options of Keylime's configuration files by their section. */
export function loadKeylimeOptions(): ReadonlyMap<string, readonly OptionRow[]> {
  const file = join(packageRoot(), 'conformance', 'selftest', 'documents', 'keylime-options.yaml')
  const text = readFileSync(file, 'utf8')
  return new Map(Object.entries(parse(text) as Record<string, readonly OptionRow[]>))
}

function lineOf({ options, becomes, note, why = '' }: OptionRow): string {
  const names = options.map((name) => `\`${name}\``).join(', ')
  const taken = becomes === 'a refusal' ? 'refused' : becomes && `\`${becomes}\``
  return `| ${names} | ${taken ?? '–'} | ${note ?? why} |`
}

const HEAD = `# A target file from Keylime's configuration

\`assay init\` finds an installation of Keylime by its configuration: \`verifier.conf\`, \`registrar.conf\` and \`tenant.conf\` in \`/etc/keylime\`
or \`/usr/etc/keylime\`, with the files of their \`.conf.d\` directories, or the files that \`KEYLIME_VERIFIER_CONFIG\` and its like name.
\`KEYLIME_DIR\` is its state directory. Another place is given with \`--config-dir\`:

    assay init --config-dir /srv/keylime/etc

An option on the command line has precedence over the files; with a \`--verifier\` or \`--registrar\` and without \`--config-dir\` no file is read.
The tenant's file says how an administrator reaches the servers and with which certificate, so it has precedence over theirs.
A value that cannot be used is refused with its file, line, section and option. Run it as a user that may read the key of the administrator.

What becomes of each option:
`

/** The text of docs/keylime-configuration.md. */
export function keylimePage(): string {
  const sections = [...loadKeylimeOptions()].map(([section, rows]) =>
    [
      `## [${section}]`,
      '',
      '| option | target file | |',
      '|---|---|---|',
      ...rows.map(lineOf),
    ].join('\n'),
  )
  return `${[HEAD, ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`
}
