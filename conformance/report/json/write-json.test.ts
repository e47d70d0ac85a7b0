import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import type { RunResult } from '../result.ts'
import { sampleResult } from '../testing/sample-result.ts'
import { jsonOf } from './write-json.ts'

const SCHEMA = new URL('../../../reports/schema/result.schema.json', import.meta.url)
const schema: object = JSON.parse(readFileSync(SCHEMA, 'utf8'))
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema)

const errorsOf = (value: unknown): readonly string[] => {
  validate(value)
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.keyword}`)
}

const written = (): Record<string, unknown> & RunResult => JSON.parse(jsonOf(sampleResult()))

test('result.json of a run with every outcome matches the schema', () => {
  expect(errorsOf(written())).toEqual([])
})

test('result.json represents the run without loss', () => {
  expect(written()).toEqual(sampleResult())
})

test('an unknown property of the run is refused', () => {
  expect(errorsOf({ ...written(), extra: 1 })).toEqual([' additionalProperties'])
})

/** Every object of the sample, with its path. */
const objectsIn = (value: unknown, path = ''): readonly (readonly [string, object])[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, member]) =>
    objectsIn(member, `${path}/${key}`),
  )
  return Array.isArray(value) ? inside : [[path, value] as const, ...inside]
}

test('an unknown property is refused in every nested object', () => {
  const run = written()
  for (const [path, object] of objectsIn(run)) {
    Object.assign(object, { 'un known': { a: 1 } })
    expect(errorsOf(run), path).not.toEqual([])
    Reflect.deleteProperty(object, 'un known')
  }
  expect(errorsOf(run)).toEqual([])
})

test('a run of another schema version is refused', () => {
  expect(errorsOf({ ...written(), schema: 'assay.result/1' })).toEqual(['/schema const'])
})

test('a missing total is refused', () => {
  const { hang, ...totals } = written().totals
  expect(hang).toBe(1)
  expect(errorsOf({ ...written(), totals })).toEqual(['/totals minProperties'])
})
