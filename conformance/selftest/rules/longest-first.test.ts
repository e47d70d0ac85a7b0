import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { LONGEST } from './longest-first.ts'

test.each(LONGEST)('the listed file %s exists', (file) => {
  expect(existsSync(join(packageRoot(), file))).toBe(true)
})
