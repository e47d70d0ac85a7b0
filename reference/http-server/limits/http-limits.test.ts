import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { affordableLimits, httpLimitsOf } from './http-limits.ts'
import { openFileLimit } from './open-files.ts'

const limits = httpLimitsOf(loadConfig('verifier', undefined, []))

test('one address can have five hundred idle connections and a hundred more with normal work', () => {
  expect(limits.connectionsOfAddress).toBeGreaterThan(700)
})

test('one address never gets all connections, with any settings', () => {
  const { limits: held } = affordableLimits(
    { ...limits, connections: 100, connectionsOfAddress: 100 },
    undefined,
  )
  expect(held.connectionsOfAddress).toBe(75)
})

test('an open-file limit that is too low is reported with the remedy', () => {
  const { limits: held, warning } = affordableLimits(limits, 1024)
  expect([held.connections, held.connectionsOfAddress]).toEqual([960, 720])
  expect(warning).toBe(
    'max_connections is 2048, but this process may open 1024 files only, so it takes 960: raise ulimit -n to 2112, or lower max_connections',
  )
})

test.each([undefined, 2112])('with a limit of %s files nothing is reported', (files) => {
  expect(affordableLimits(limits, files)).toEqual({ limits })
})

test('the open-file limit is the soft one, and undefined without one', () => {
  const file = join(temporaryDirectory(), 'limits')
  writeFileSync(
    file,
    'Max processes  1  2 \nMax open files            1024      524288     files\n',
  )
  expect(openFileLimit(file)).toBe(1024)
  writeFileSync(file, 'Max open files            unlimited      unlimited     files\n')
  expect(openFileLimit(file)).toBeUndefined()
  expect(openFileLimit(join(file, 'none'))).toBeUndefined()
})
