import { expect, test } from 'vitest'
import { parseRunOptions } from './cli-options.ts'

test.each([
  [[], 'notable'],
  [['--role', 'verifier'], 'notable'],
  [['--only', 'push.*'], 'all'],
  [['--scenario', 'one.ts'], 'all'],
  [['--transcripts', 'all'], 'all'],
  [['--only', 'push.*', '--transcripts', 'notable'], 'notable'],
])('a run with the options %j keeps %s transcripts', (argv, transcripts) => {
  expect(parseRunOptions(argv, 'target.yaml')).toMatchObject({ transcripts })
})

test('--transcripts takes only notable or all', () => {
  expect(() => parseRunOptions(['--transcripts', 'some'], 'target.yaml')).toThrow(
    'it takes notable or all',
  )
})

test('--format can be repeated, and takes known formats', () => {
  const argv = ['--format', 'sarif', '--format', 'github']
  expect(parseRunOptions(argv, 'target.yaml')?.format).toEqual(['sarif', 'github'])
  expect(() => parseRunOptions(['--format', 'xml'], 'target.yaml')).toThrow(
    'it takes one of github',
  )
})

test('only one format has standard output', () => {
  const argv = ['--format', 'jsonl', '--format', 'github']
  expect(() => parseRunOptions(argv, 'target.yaml')).toThrow('both write to standard output')
})

test('--update-baseline needs --baseline', () => {
  const argv = ['--update-baseline', '--baseline', 'b.yaml']
  expect(parseRunOptions(argv, 'target.yaml')).toMatchObject({ baseline: 'b.yaml' })
  expect(() => parseRunOptions(argv.slice(0, 1), 'target.yaml')).toThrow('needs the file to write')
})

test('--bail and --update-baseline contradict each other', () => {
  const argv = ['--bail', '--baseline', 'b.yaml']
  expect(parseRunOptions(argv, 'target.yaml')).toMatchObject({ bail: true })
  expect(() => parseRunOptions([...argv, '--update-baseline'], 'target.yaml')).toThrow(
    '--bail leaves failures out',
  )
})
