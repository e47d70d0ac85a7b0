import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readCatalogueFile } from './read-catalogue-file.ts'

const TEXT = `# a comment
component: the pull agent
excluded:
  wire: not yet
  white-box: "never: seen"
rows:
  # a heading
  - { id: A, since: '2.1', lines: [1, 23], says: It is so,
      field: { path: "a[]", values: [true, 1, x] } }

  - { id: B, nothing: null, none: [] }
`

test('comments, quotes, lists and maps over two lines read as any YAML reads them', () => {
  expect(readCatalogueFile(TEXT)).toEqual(parse(TEXT))
})

test.each([
  ['a value that is not there', 'a:\n  b: ,\n', 'line 2: a value was expected before ","'],
  ['a quote that does not close', 'a: "b\n', 'line 1: a closing quote was expected'],
  ['a list that does not close', 'a: [1 2\n', 'line 2: a comma or ] was expected'],
  ['a key that stands twice', 'a: { b: 1, b: 2 }\n', 'line 1: another key was expected'],
  ['a bare word', 'a: b\nword\n', 'line 2: a key was expected before "word"'],
  ['an unquoted comma in a map', 'a: { b: one, two }\n', 'a key was expected before "two }"'],
])('%s is named with its line', (_what, text, sentence) => {
  expect(() => readCatalogueFile(text)).toThrow(sentence)
})
