import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { givenUpIn } from './vocabulary.ts'

const FOLDERS = [
  ...['bin', 'conformance', 'docs', 'reference', 'scenarios', 'simulator', 'tools', '.ci'],
]
const FILES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'vitest.config.ts']

/** Files whose subject is these words. */
const ABOUT_WORDS = /vocabulary(\.test)?\.ts$/

/** The label of a deterministic key: another label would change the bytes of fixtures. */
const LABELS = new Set(['simulator/vectors/quote/e3-signature.ts: somebody'])

function textFiles(): readonly string[] {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|js|md|ya?ml)$|^run$/.test(entry.name))
      .map(({ parentPath, name }) => relative(packageRoot(), join(parentPath, name))),
  )
  return [...found, ...FILES].filter((file) => !ABOUT_WORDS.test(file))
}

test('no file uses a word that the project gave up', () => {
  const found = textFiles().flatMap((file) =>
    givenUpIn(readFileSync(join(packageRoot(), file), 'utf8'))
      .filter(({ found: word }) => !LABELS.has(`${file}: ${word}`))
      .map(({ line, found: word, instead }) => `${file}:${line}: ${word}; instead: ${instead}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['// nobody knows it', 'nobody'],
  ['/** The client is told of it. */', 'is told'],
  ['title: Whoever asks is refused', 'Whoever'],
  ["message: 'the log is bent'", 'bent'],
  ["title: 'Nobody gets a token'", 'Nobody'],
  ["says: 'it is known by nobody'", 'nobody'],
  ['export function bendQuote(knobs: Overrides)', 'bend'],
  ['class PushAgentDesk {}', 'Desk'],
  ['const onDeed = 1', 'Deed'],
])('the word in %s is found', (text, word) => {
  expect(givenUpIn(text).map(({ found }) => found)).toContain(word)
})

test.each([
  "id: 'session.proof-of-nobody',",
  "mutant: 'bent',",
  'kills: ATT-RUNTIME-POLICY-JUDGES',
  'the desktop view',
  'see scenarios/session/proof/of-nobody.ts',
])('an id, a path or another word is left alone: %s', (text) => {
  expect(givenUpIn(text)).toEqual([])
})
