import { at } from '../../conformance/attempt/reply.ts'
import type { Schema } from './reply-schema.ts'

const BY_TYPE: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 0,
  number: 0,
  boolean: false,
  null: null,
}

/** A value that a schema of a reply allows: every member, a list with one element, and the first of several values. */
export function exampleOf(schema: Schema): unknown {
  const [first] = Array.isArray(schema['enum']) ? schema['enum'] : []
  if (first !== undefined) return first
  const [type] = [schema['type']].flat().filter((one) => one !== 'null')
  if (type === 'object') return exampleObject(schema)
  if (type === 'array') return exampleList(schema)
  return BY_TYPE[String(type ?? 'null')] ?? null
}

function exampleObject({ properties = {} }: Schema): unknown {
  const members = Object.entries(properties as Readonly<Record<string, Schema>>)
  return Object.fromEntries(members.map(([name, one]) => [name, exampleOf(one)]))
}

/** An element for each condition on elements, or one. */
function exampleList({ items }: Schema): unknown {
  const element = (items ?? {}) as Schema
  const conditions = (element['allOf'] ?? []) as readonly Schema[]
  const common = element['type'] === undefined ? {} : exampleOf(element)
  if (conditions.length === 0) return [element['type'] === undefined ? 'text' : common]
  return conditions.map((condition) => ({
    ...Object(common),
    ...Object(exampleOf({ type: 'object', ...(at(condition, 'anyOf', 1) as Schema) })),
    ...constantsOf(at(condition, 'anyOf', 0, 'not', 'properties')),
  }))
}

function constantsOf(properties: unknown): Readonly<Record<string, unknown>> {
  const members = Object.entries(Object(properties))
  return Object.fromEntries(members.map(([name, one]) => [name, at(one, 'const')]))
}
