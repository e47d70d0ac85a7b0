import { spawnSync } from 'node:child_process'
import { Stop } from './stop.js'

/**
 * The scripts, each of which asks `assay completion words` for what may follow. Without an answer the shell completes files.
 * @type {Readonly<Record<string, string>>}
 */
const SCRIPTS = {
  bash: `_assay() {
  local IFS=$'\\n'
  COMPREPLY=($(assay completion words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _assay assay`,
  zsh: `_assay() {
  local -a found
  found=("\${(@f)$(assay completion words "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _assay assay`,
  fish: `complete -c assay -a '(assay completion words (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}

export const COMPLETION_USAGE = `usage: assay completion ${Object.keys(SCRIPTS).join('|')}

prints a script that completes verbs, options, kinds, and the ids of scenarios and requirements

  bash  source <(assay completion bash)         in ~/.bashrc
  zsh   source <(assay completion zsh)          in ~/.zshrc, after compinit
  fish  assay completion fish | source          in ~/.config/fish/config.fish`

/** The words after a verb whose help has no section for them. */
const KINDS = new Map([
  ['report', ['diff', 'merge', 'show']],
  ['certificate', ['compare', 'verify']],
  ['load', ['idle', 'polls']],
  ['completion', Object.keys(SCRIPTS)],
  ['inspect', ['quote', 'attest', 'signature', 'pcrs', 'imalog', 'eventlog', 'policy', 'ekcert']],
])

/**
 * What `assay` prints.
 * @param {string[]} words
 */
function outputOf(words) {
  const { stdout } = spawnSync(process.execPath, [process.argv[1] ?? '', ...words])
  return stdout.toString()
}

/** @param {string} help of a verb */
function optionsIn(help) {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option = '']) => option)
}

/** @param {string} help of a verb, with a list of commands or choices */
function commandsIn(help) {
  const [, section = ''] = help.split(/^(?:Commands|Kinds):\n/m)
  const [list = ''] = section.split(/\n\n/)
  return [...list.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, command = '']) => command)
}

/** What `assay explain` describes: every scenario, and every requirement that one of them checks. */
function explained() {
  /** @type {{ scenarios: readonly { id: string, requirements: readonly string[] }[] }} */
  const { scenarios } = JSON.parse(outputOf(['list', '--json']))
  return [...new Set(scenarios.flatMap(({ id, requirements }) => [id, ...requirements]))]
}

/**
 * The words that may stand at the end of a command line.
 * @param {readonly string[]} verbs
 * @param {string[]} words of the line behind `assay`; the last one is unfinished
 */
function candidates(verbs, words) {
  const [verb = '', kind = ''] = words
  const [before, last = ''] = words.slice(-2)
  if (words.length < 2) return [...verbs, '--help', '--version']
  if (!verbs.includes(verb)) return []
  if (before === '--only' || before === '--exclude')
    return [...outputOf(['list']).matchAll(/^(\S+) {2}/gm)].map(([, id = '']) => id)
  const isKind = KINDS.get(verb)?.includes(kind) || ['policy', 'pki'].includes(verb)
  if (last.startsWith('-')) return optionsIn(outputOf([verb, ...(isKind ? [kind] : []), '--help']))
  if (words.length > 2) return []
  return verb === 'explain'
    ? explained()
    : (KINDS.get(verb) ?? commandsIn(outputOf([verb, '--help'])))
}

/**
 * `assay completion`: prints a script, the candidates for a command line, or how to use it.
 * @param {readonly string[]} verbs
 * @param {string[]} words
 */
export function completion(verbs, [shell = '', ...words]) {
  if (shell === '--help') return COMPLETION_USAGE
  if (shell === 'words') {
    const last = words.at(-1) ?? ''
    return candidates(verbs, words)
      .filter((word) => word.startsWith(last))
      .join('\n')
  }
  const script = SCRIPTS[shell]
  if (script !== undefined) return script
  throw new Stop(
    shell === '' ? 'missing shell' : `there is no completion for the shell "${shell}"`,
    `use one of ${Object.keys(SCRIPTS).join(', ')}`,
  )
}
