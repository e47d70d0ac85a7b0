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
