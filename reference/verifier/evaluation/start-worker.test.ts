import { isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { startText } from './start-worker.ts'

test('a worker finds what it loads from whichever directory a verifier is started in', () => {
  const loaded = [...startText().matchAll(/require\(("[^"]+")\)/g)].map(([, path = '']) =>
    JSON.parse(path),
  )
  expect(loaded).toHaveLength(2)
  expect(loaded.filter((path: string) => !isAbsolute(path))).toEqual([])
})
