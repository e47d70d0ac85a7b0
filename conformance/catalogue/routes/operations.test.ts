import { expect, test } from 'vitest'
import { fillPath } from './operations.ts'

test.each([
  ['a/b?c', '/agents/a%2Fb%3Fc'],
  ['ü', '/agents/%C3%BC'],
  ['half \ud800', '/agents/half%20%EF%BF%BD'],
])('an id %j stays one segment of a path', (agent_id, path) => {
  expect(fillPath('/agents/{agent_id}', { agent_id })).toBe(path)
})
