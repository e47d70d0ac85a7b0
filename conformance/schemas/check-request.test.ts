import { expect, test } from 'vitest'
import { checkRequest } from './check-request.ts'

const AGENT = '0f3c6a52-7d1e-4b8a-9c55-2e4b7f10a6d3'

test('a request that matches its schema passes', () => {
  expect(() => checkRequest('activate', '2.5', { auth_tag: 'ab' })).not.toThrow()
})

test('an unknown member is an error of the harness', () => {
  expect(() => checkRequest('activate', '2.5', { auth_tag: 'ab', tag: 'ab' })).toThrow(
    "the harness's own activate 2.5 request does not match its schema: body must NOT have additional properties",
  )
})

test('the error names the path of a member with the wrong type', () => {
  expect(() => checkRequest('activate', '3.0', { auth_tag: 5 })).toThrow('/auth_tag must be string')
})

test('the body has the agent id from 3.0 on, and not before', () => {
  const body = { aik_tpm: 'AAAA' }
  expect(() => checkRequest('register', '3.0', { agent_id: AGENT, ...body })).not.toThrow()
  expect(() => checkRequest('register', '2.5', { agent_id: AGENT, ...body })).toThrow(
    'register 2.5',
  )
  expect(() => checkRequest('register', '3.0', body)).toThrow(
    "must have required property 'agent_id'",
  )
})

test('a body for an operation without one is an error of the harness', () => {
  expect(() => checkRequest('list', '2.5', {})).toThrow(
    'list 2.5 request does not match its schema: it has no body',
  )
})

test('a request without a body passes without a schema', () => {
  expect(() => checkRequest('list', '2.5', undefined)).not.toThrow()
})
