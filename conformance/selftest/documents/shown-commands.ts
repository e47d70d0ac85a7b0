import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

/** A command that a document shows, without its comment. */
export interface ShownCommand {
  readonly file: string
  readonly command: string
  /** What follows the command on its line. */
  readonly comment: string
}

/** Programs that a shown command may begin with, after assignments of environment variables. */
const COMMAND =
  /^(?:[A-Z0-9_]+=\S+ )*(?:node|npm|bash|swtpm|mkdir|head|echo|sed|cat|curl|openssl|tpm2_\w+) /

/** The contents of the code blocks without a language: commands and outputs. */
function plainBlocks(text: string): readonly string[] {
  const parts = text.split(/^```(\w*)$/m)
  return parts.flatMap((language, at) =>
    at % 4 === 1 && language === '' ? [parts[at + 1] ?? ''] : [],
  )
}

function parseLine(file: string, line: string): readonly ShownCommand[] {
  if (!COMMAND.test(line)) return []
  const [, command = line, comment = ''] = /^(.*?)(?:\s+# | {2,})(.*)$/.exec(line) ?? []
  return [{ file, command: command.trim(), comment }]
}

/** The commands of a document, in order; a line that ends in a backslash continues. */
export function commandsOf(file: string): readonly ShownCommand[] {
  const text = readFileSync(join(packageRoot(), file), 'utf8')
  return plainBlocks(text).flatMap((block) =>
    block
      .replaceAll(/ *\\\n\s*/g, ' ')
      .split('\n')
      .flatMap((line) => parseLine(file, line)),
  )
}

/** The documents that a user reads. */
export function documents(): readonly string[] {
  const guides = readdirSync(join(packageRoot(), 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...guides.map((name) => `docs/${name}`)]
}
