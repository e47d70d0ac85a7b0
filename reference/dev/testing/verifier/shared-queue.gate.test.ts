import { describe, expect, test } from 'vitest'
import { HAS_POSTGRES } from '../storage/postgres-cluster.ts'
import { shareQueue } from './shared-queue.ts'

const EVALUATIONS = 60

describe.skipIf(!HAS_POSTGRES)('in PostgreSQL', () => {
  test('waiting evidence is evaluated by one of two verifiers, and only once', async () => {
    const { queued, written, evaluated, shares } = await shareQueue(EVALUATIONS, 2)
    expect([queued, written, evaluated]).toEqual([EVALUATIONS, EVALUATIONS, EVALUATIONS])
    expect(shares.reduce((sum, each) => sum + each, 0)).toBe(EVALUATIONS)
  })
})
