import { expect, test } from 'vitest'
import { checkRequest } from './check-request.ts'

const AGENT = '0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'

test('a request that fits its schema is let through', () => {
  expect(() => checkRequest('activate', '2.5', { auth_tag: 'ab' })).not.toThrow()
})

test('a member that no schema has is a slip of the judge', () => {
  expect(() => checkRequest('activate', '2.5', { auth_tag: 'ab', tag: 'ab' })).toThrow(
    "the judge's own activate 2.5 does not fit its schema: its body must NOT have additional properties",
  )
})

test('a member of the wrong type is named with its place', () => {
  expect(() => checkRequest('activate', '3.0', { auth_tag: 5 })).toThrow('/auth_tag must be string')
})

test('the agent id stands in the body from 3.0 on, and not before', () => {
  const body = { aik_tpm: 'AAAA' }
  expect(() => checkRequest('register', '3.0', { agent_id: AGENT, ...body })).not.toThrow()
  expect(() => checkRequest('register', '2.5', { agent_id: AGENT, ...body })).toThrow(
    'register 2.5',
  )
  expect(() => checkRequest('register', '3.0', body)).toThrow(
    "must have required property 'agent_id'",
  )
})

test('a body where there is none is a slip of the judge', () => {
  expect(() => checkRequest('list', '2.5', {})).toThrow('sends a body with list 2.5')
})

test('a request without a body needs no schema', () => {
  expect(() => checkRequest('list', '2.5', undefined)).not.toThrow()
})
