import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../conformance/target/testing/test-support.ts'
import type { Finding, Severity } from '../findings/finding.ts'
import { main } from '../main.ts'

/** Programs that answer each line of evidence; `honest` is what came first. */
const PROGRAM = `
const [kind] = process.argv.slice(2)
const say = (answer) => console.log(JSON.stringify(answer))
let honest
let count = 0
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  honest ??= line
  const valid = line === honest
  count += 1
  if (valid || kind === 'strict') say({ valid, failures: [] })
  else if (kind === 'open') say({ valid: true })
  else if (kind === 'ending') throw new Error('a fault')
  else if (kind === 'fickle') say({ error: String(count) })
  else if (kind === 'wordless') console.log('no')
})
`

const EVALUATORS: readonly (readonly [kind: string, severity: Severity | undefined])[] = [
  ['strict', undefined],
  ['open', 'false pass'],
  ['ending', 'crash'],
  ['silent', 'hang'],
  ['fickle', 'changed answer'],
  ['wordless', undefined],
]

async function fuzz(program: string, words: readonly string[]) {
  const directory = temporaryDirectory()
  const file = join(directory, 'evaluator.cjs')
  writeFileSync(file, PROGRAM)
  const command = `'${process.execPath}' '${file}' ${program}`
  const out = join(directory, 'out')
  let said = ''
  const write = (text: string | Uint8Array): boolean => {
    said += String(text)
    return true
  }
  const run = (more: readonly string[]) =>
    main(['fuzz', '--command', command, '--seed', '5', '--out', out, ...more], { write })
  return { code: await run(words), said: () => said, run, ...findingsIn(join(out, 'fuzz')) }
}

function findingsIn(directory: string): {
  readonly findings: readonly Finding[]
  readonly files: readonly string[]
} {
  try {
    const files = readdirSync(directory)
      .toSorted()
      .map((name) => join(directory, name))
    return { files, findings: files.map((file) => JSON.parse(readFileSync(file, 'utf8'))) }
  } catch {
    return { files: [], findings: [] }
  }
}

test.each(EVALUATORS)('an evaluator of the kind %s is found out: %s', async (program, severity) => {
  const [runs, deadline] = severity === 'hang' ? ['2', '200'] : ['3', '10000']
  const words = ['pcrs', '--runs', runs, '--deadline', deadline]
  const { code, said, findings } = await fuzz(program, words)
  expect(said()).toMatch(/^seed 5 {2}pcrs on this machine/)
  expect([code, findings[0]?.severity], said()).toEqual([severity === undefined ? 0 : 1, severity])
})

test('a finding is seen again when its file is replayed', async () => {
  const { run, said, files } = await fuzz('open', ['pcrs', '--runs', '3'])
  expect(await run(['--replay', files[0] ?? ''])).toBe(1)
  expect(said()).toContain('seen again: false pass')
})

test('the same seed sends the same evidence', async () => {
  const [once, again] = [
    await fuzz('open', ['pcrs', '--runs', '9']),
    await fuzz('open', ['pcrs', '--runs', '9']),
  ]
  expect(once.findings.length).toBeGreaterThan(0)
  expect(once.findings.map(({ shots }) => shots)).toEqual(again.findings.map(({ shots }) => shots))
})

test.each([
  ['an evaluator that ends at once', ['quote', '--command', 'false'], /it ended with exit code 1/],
  [
    'one that refuses everything',
    ['quote', '--command', 'sed -u s/.*/{}/'],
    /honest evidence is not taken there/,
  ],
  ['a kind that needs a registrar', ['ekcert'], /ekcert goes to a registrar/],
  ['a command with a target', ['quote', '--command', 'x', '--target', 'y'], /cannot be used with/],
  ['no kind', [], /what is to be mutated/],
  ['another kind', ['everything'], /'everything' is invalid/],
  ['runs in words', ['quote', '--runs', 'many'], /a whole number/],
])('%s is a fault with a sentence', async (_, words, sentence) => {
  await expect(main(['fuzz', ...words], { write: () => true })).rejects.toThrow(sentence)
})
