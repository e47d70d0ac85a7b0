import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { sampleResult } from '../testing/sample-result.ts'
import { createEvents } from './events.ts'

const PATHS = ['h', 'j', 'u', 't', 'result.tap']
const FACTS = { assay_version: '0', target: 't', seed: '1', scenarios: 14 }

const recording = () => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  return { written, events: createEvents(stream, () => new Date(0)) }
}

test('every event is one line of JSON, written when it happens', () => {
  const { written, events } = recording()
  const result = sampleResult()
  events.started(FACTS)
  expect(written).toHaveLength(1)
  for (const step of result.setup) events.setup(step)
  events.began([])
  for (const scenario of result.scenarios) events.finished(scenario)
  expect(written).toHaveLength(1 + result.setup.length + result.scenarios.length)
  events.closing(result, PATHS)
  for (const line of written) expect(line).toMatch(/^\{"event":"[a-z-]+",[^\n]*\}\n$/)
  const read = written.map((line) => JSON.parse(line))
  expect(read[0]).toEqual({
    ...{ event: 'run-started', at: '1970-01-01T00:00:00.000Z', schema: 'assay.events/1' },
    ...FACTS,
  })
  expect(read[1]).toMatchObject({ event: 'setup', step: { what: 'CA certificate', ok: true } })
  expect(read.at(-2)).toMatchObject({
    event: 'scenario-finished',
    scenario: result.scenarios.at(-1),
  })
  expect(read.at(-1)).toMatchObject({
    event: 'run-finished',
    verdict: 'does not conform',
    exit_code: 1,
    totals: result.totals,
    reports: ['h', 'j', 'u', 't', 'result.tap'],
  })
})

test('a run without a result ends with run-failed', () => {
  const { written, events } = recording()
  events.failed(new Error('the target file has no roles'))
  expect(JSON.parse(written.join(''))).toMatchObject({
    event: 'run-failed',
    says: 'the target file has no roles',
  })
})

const schema = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../../../reports/schema/${name}.schema.json`, import.meta.url), 'utf8'),
  )
const validate = new Ajv2020({ strict: true, strictRequired: false })
  .addSchema(schema('result'))
  .compile(schema('event'))

test('every event fits the published schema, and one with another member does not', () => {
  const { written, events } = recording()
  const result = sampleResult()
  events.started(FACTS)
  for (const step of result.setup) events.setup(step)
  for (const scenario of result.scenarios) events.finished(scenario)
  events.closing({ ...result, ended_early: { because: 'bail', says: 'ended' } }, PATHS)
  events.failed(new Error('gone'))
  const read = written.map((line) => JSON.parse(line))
  expect(read.filter((event) => !validate(event))).toEqual([])
  for (const event of read) expect(validate({ ...event, colour: 'red' })).toBe(false)
})
