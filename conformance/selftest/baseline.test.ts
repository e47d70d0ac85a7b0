import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../target/testing/test-support.ts'
import { measure } from './null-servers/measure.ts'
import { NULL_SERVERS } from './null-servers/null-servers.ts'

const [server] = Object.values(NULL_SERVERS)
if (server === undefined) throw new Error('there is no null server')

const PART = { only: ['registrar.agents*', 'session.*'], version: ['3.0'] }

const run = (more: Partial<Parameters<typeof measure>[1]> = {}) =>
  measure(server, { ...PART, out: join(temporaryDirectory(), 'out'), ...more })

test('failures that a baseline has are expected, and no others', async () => {
  const baseline = join(temporaryDirectory(), 'known.yaml')
  const first = await run()
  expect(first.exitCode).toBe(1)
  const failed = first.result.scenarios.filter(({ outcome }) => outcome !== 'pass')
  expect(failed.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(['fail', 'blocked']))

  const updated = await run({ baseline, updateBaseline: true })
  expect([updated.exitCode, updated.result.verdict]).toEqual([0, 'matches the baseline'])
  const again = await run({ baseline, seed: '2' })
  expect([again.exitCode, again.result.complaints]).toEqual([0, []])
  expect(again.result.scenarios.map(({ outcome }) => outcome)).not.toContain('pass')
  expect(again.result.certification.possible).toBe(false)

  const stopped = await run({ baseline, bail: true })
  expect([stopped.exitCode, stopped.result.ended_early]).toEqual([0, undefined])

  writeFileSync(baseline, '[]')
  const red = await run({ baseline, bail: true })
  expect([red.exitCode, red.result.verdict]).toEqual([1, 'does not conform'])
  expect(red.result.ended_early?.because).toBe('bail')
})
