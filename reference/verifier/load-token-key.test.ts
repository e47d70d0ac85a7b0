import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectory } from '../dev/testing/open-directory.ts'
import { seededRandom } from '../dev/testing/seeded-random.ts'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { loadTokenKey } from './load-token-key.ts'

test('a key is made once, and kept for its owner only', () => {
  const state_dir = join(temporaryDirectory(), 'state')
  const config = { state_dir, database: 'v.sqlite' }
  const key = loadTokenKey(config, seededRandom('first'))
  expect(key).toHaveLength(32)
  expect(loadTokenKey(config, seededRandom('second'))).toEqual(key)
  expect(statSync(join(state_dir, 'token.key')).mode & 0o777).toBe(0o600)
})

test('a database in memory has a key in memory', () => {
  const config = { state_dir: '/nowhere', database: ':memory:' }
  expect(loadTokenKey(config, seededRandom())).toEqual(seededRandom().bytes(32))
})

test.each([0, 31, 33])('a key file of %i bytes is no key', (length) => {
  const state_dir = temporaryDirectory()
  writeFileSync(join(state_dir, 'token.key'), new Uint8Array(length))
  expect(() => loadTokenKey({ state_dir, database: 'v.sqlite' }, seededRandom())).toThrow(
    expect.objectContaining({ sentence: expect.stringContaining(`has ${length} bytes, not 32`) }),
  )
})

test('a key that every user can read is refused', () => {
  const config = { state_dir: openDirectory(), database: 'v.sqlite' }
  const key = loadTokenKey(config, seededRandom())
  chmodSync(join(config.state_dir, 'token.key'), 0o644)
  expect(() => loadTokenKey(config, seededRandom())).toThrow('every user of this machine can read')
  chmodSync(join(config.state_dir, 'token.key'), 0o600)
  expect(loadTokenKey(config, seededRandom())).toEqual(key)
})
