import { expect, test } from 'vitest'
import type { ScenarioResult } from '../result.ts'
import { foldFamilies } from './families.ts'

function runs(place: string, count: number): readonly ScenarioResult[] {
  return Array.from({ length: count }, (_, at) => ({ id: `${place}.v${at}` })) as never
}

test('many scenarios with a common prefix form a family, and few do not', () => {
  const many = runs('adversarial.attest', 16)
  const few = runs('push.evidence', 15)
  expect(foldFamilies([...many, ...few])).toEqual({
    single: few,
    families: [{ name: 'adversarial.attest', scenarios: many }],
  })
})

test('few scenarios under many versions do not form a family', () => {
  const one = runs('registrar.agents', 1)
  const versions = Array.from({ length: 20 }, () => one).flat()
  expect(foldFamilies(versions).families).toEqual([])
})
