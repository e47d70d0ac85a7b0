import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'

const ASSAY = `'${process.execPath}' '${join(packageRoot(), 'bin', 'assay.js')}'`

/** The shells, each with a script that prints what it offers behind `assay run --out`. */
const SHELLS = {
  bash: `assay() { ${ASSAY} "$@"; }
eval "$(assay completion bash)"
COMP_WORDS=(assay certificate '')
COMP_CWORD=2
_assay
printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `assay() { ${ASSAY} "$@"; }
compdef() { }
compadd() { print -l $found }
eval "$(assay completion zsh)"
words=(assay certificate '')
CURRENT=3
_assay`,
  fish: `function assay; ${ASSAY} $argv; end
assay completion fish | source
complete -C 'assay certificate '`,
} as const

function outputOf(program: string, words: readonly string[]): string {
  return spawnSync(program, words, { encoding: 'utf8', cwd: packageRoot() }).stdout
}

const candidates = (...words: readonly string[]): readonly string[] =>
  outputOf('sh', ['-c', `${ASSAY} completion words "$@"`, 'sh', ...words])
    .trim()
    .split('\n')

for (const [shell, script] of Object.entries(SHELLS))
  test.skipIf(spawnSync(shell, ['--version']).error !== undefined)(
    `${shell} completes by the script that assay prints`,
    () => {
      const offered = outputOf(shell, ['-c', script])
      expect(offered.trim().split('\n')).toEqual(expect.arrayContaining(['compare', 'verify']))
    },
  )

test.each([
  [['ru'], ['run']],
  [
    ['run', '--o'],
    ['--only', '--out'],
  ],
  [['run', '--only', 'push.evidence.acc'], ['push.evidence.accepted']],
  [['explain', 'VER-ADD-V-F'], ['VER-ADD-V-FORM']],
  [['explain', 'push.evidence.acc'], ['push.evidence.accepted']],
  [['report', 'd'], ['diff']],
  [['report', 'diff', '--j'], ['--json']],
  [['tenant', 'cvs'], ['cvstatus']],
  [['fuzz', 'quo'], ['quote']],
])('after assay %j come %j', (words, offered) => {
  expect(candidates(...words)).toEqual(offered)
})
