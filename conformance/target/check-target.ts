import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { SetupFault } from '../input/fault.ts'
import type { FaultCode } from '../input/fault-codes.ts'
import { nearest } from '../input/nearest.ts'
import { packageRoot } from '../input/package-root.ts'
import { type Path, presentPath, type YamlSource } from '../input/yaml-source.ts'
import type { TargetDocument } from './target-document.ts'

type Issue = ErrorObject<string, Record<string, unknown>>

/** Keywords about keys; the others are about values. */
const ABOUT_KEYS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'propertyNames',
  'required',
])

/** An unknown key is reported first: often it is the misspelling of the one that is missing. */
const ORDER = ['additionalProperties', 'propertyNames', 'required', 'type']

/** The path of the schema of target files. */
export function targetSchema(): string {
  return join(packageRoot(), 'conformance', 'target', 'target.schema.json')
}

function compileSchema() {
  const options = { allErrors: true, verbose: true, useDefaults: true, allowUnionTypes: true }
  return new Ajv2020(options).compile<TargetDocument>(
    JSON.parse(readFileSync(targetSchema(), 'utf8')),
  )
}

/** Compiled when the first target file is read. */
let compiled: ReturnType<typeof compileSchema> | undefined

function pathOf(issue: Issue, data: unknown): Path {
  const steps = issue.instancePath.split('/').slice(1)
  let value: unknown = data
  return steps.map((step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const inList = Array.isArray(value)
    value = Object(value)[key]
    return inList ? Number(key) : key
  })
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  return `the ${typeof value} ${JSON.stringify(value)}`
}

function orList(words: readonly unknown[]): string {
  return words.map(String).join(', ')
}

function expected(issue: Issue): string {
  return String(issue.parentSchema?.description ?? issue.message)
}

function unknownKey(issue: Issue): string {
  const key = String(issue.params.additionalProperty)
  const known = Object.keys(Object(issue.parentSchema?.properties))
  const near = nearest(key, known)
  return `is not a known key; ${near === undefined ? `known here: ${orList(known)}` : `did you mean ${near}?`}`
}

function wrongType(issue: Issue): string {
  const pattern = issue.parentSchema?.pattern
  const scalar = ['number', 'boolean'].includes(typeof issue.data)
  const fits = typeof pattern !== 'string' || new RegExp(pattern).test(String(issue.data))
  const hint = scalar && fits && issue.params.type === 'string' ? '; write it in quotes' : ''
  return `is ${kindOf(issue.data)}, expected ${expected(issue)}${hint}`
}

function notAllowed(issue: Issue): string {
  const allowed = issue.params.allowedValues
  const words = Array.isArray(allowed) ? allowed.map(String) : []
  const near = nearest(String(issue.data), words)
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return `is ${JSON.stringify(issue.data)}, expected one of ${orList(words)}${hint}`
}

/** The message for each keyword of the schema; the key path precedes it. */
const SENTENCES: ReadonlyMap<string, (issue: Issue) => string> = new Map([
  ['additionalProperties', unknownKey],
  ['required', (issue) => `lacks ${issue.params.missingProperty}, expected ${expected(issue)}`],
  ['type', wrongType],
  ['enum', notAllowed],
  ['minItems', (issue) => `is an empty list, expected ${expected(issue)}`],
  ['minProperties', (issue) => `is an empty mapping, expected ${expected(issue)}`],
  ['uniqueItems', (issue) => `holds the same value twice, expected ${expected(issue)}`],
])

function sentenceOf(issue: Issue): string {
  const special = SENTENCES.get(issue.keyword)
  if (special !== undefined) return special(issue)
  return `is ${JSON.stringify(issue.data)}, expected ${expected(issue)}`
}

function faultCodeOf(issue: Issue): FaultCode {
  return ABOUT_KEYS.has(issue.keyword) ? 'D-TARGET-KEY' : 'D-TARGET-TYPE'
}

function rank(issue: Issue): number {
  const index = ORDER.indexOf(issue.keyword)
  return index < 0 ? ORDER.length : index
}

/**
 * Validates a target file against the closed schema `target.schema.json` and fills in defaults. Throws a {@link
 * SetupFault} whose sentence is `file:line:column: key.path problem, expected value`.
 */
export function checkTarget(data: unknown, source: YamlSource): TargetDocument {
  compiled ??= compileSchema()
  const validate = compiled
  if (validate(data)) return data
  // The keyword `if` only reports that a branch was taken; the branch has the error.
  const issues = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if') as Issue[]
  const [issue] = issues.sort((a, b) => rank(a) - rank(b))
  if (issue === undefined) throw new Error('the schema rejected a target file without an error')
  const parent = pathOf(issue, data)
  const surplus = issue.params.additionalProperty
  const path = typeof surplus === 'string' ? [...parent, surplus] : parent
  const place = source.placeOf(path, typeof surplus === 'string' ? 'key' : 'value')
  throw new SetupFault(`${place}: ${presentPath(path)} ${sentenceOf(issue)}`, {
    code: faultCodeOf(issue),
    next: `every key is described in ${targetSchema()}`,
  })
}
