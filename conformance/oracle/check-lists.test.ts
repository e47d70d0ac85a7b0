import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { replayedTo } from './check-lists.ts'

const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')
const linesOf = (name: string) =>
  readFileSync(join(BOOT, name), 'latin1')
    .split('\n')
    .filter((line) => line !== '')
const PCR_10 = /^sha256 10 ([0-9A-F]{64})$/m
const EARLIER = PCR_10.exec(readFileSync(join(BOOT, 'pcrs_before_tools.txt'), 'utf8'))?.[1]
const LATER = linesOf('ascii_after_tools')
const COUNT = linesOf('ascii_before_tools').length

test.each([
  ['the offered entries', COUNT, true],
  ['one entry fewer than was offered', COUNT + 1, false],
])('a list that has grown since a quote over %s', (_, from, isCovered) => {
  const wanted = EARLIER?.toLowerCase()
  expect(wanted).toBeDefined()
  const value = replayedTo(wanted, LATER, { bank: 'sha256', from })
  expect(value === wanted).toBe(isCovered)
})
