import { test } from 'vitest'
import { asTest } from '../../vitest/as-test.ts'
import { FIVE_NAMES, startFive } from './five-outcomes.ts'

const results = startFive()

for (const [at, name] of FIVE_NAMES.entries()) {
  test(name, async ({ skip }) => {
    const result = await results[at]
    if (result === undefined) throw new Error('the runner gave no result')
    asTest(result, skip)
  })
}
