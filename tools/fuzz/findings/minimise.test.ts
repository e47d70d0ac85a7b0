import { expect, test } from 'vitest'
import { scriptedRoute } from '../test-route.ts'
import { minimise } from './minimise.ts'

const recipe = ['a.yy', 'b.xx', 'c.zz'].map((mutation) => ({ mutation, draw: '1' }))
const never = () => false

test('steps that are not needed are left out, then bytes', async () => {
  const route = scriptedRoute(['a.yy', 'b.xx', 'c.zz'], (body) =>
    body.includes('x') ? 'passed' : 'failed',
  )
  const input = await route.prepare(recipe)
  const found = { input, answer: await route.send(input) }
  const { input: smallest } = await minimise(route, found, 'false pass', never)
  expect(smallest.recipe.map(({ mutation }) => mutation)).toEqual(['b.xx'])
  expect(smallest.body).toBe('x')
})

test('what is not as bad is not taken for smaller', async () => {
  const route = scriptedRoute(['a.yy', 'b.xx', 'c.zz'], (body) =>
    body.includes('yy') ? 'server error' : 'refused',
  )
  const input = await route.prepare(recipe)
  const found = { input, answer: await route.send(input) }
  const { input: smallest, answer } = await minimise(route, found, 'server error', never)
  expect(smallest.body).toBe('yy')
  expect(answer.kind).toBe('server error')
})

test('a hang is tried three times at the most, and nothing once it was ended', async () => {
  const route = scriptedRoute(['a.yy', 'b.xx', 'c.zz'], () => 'no answer')
  const input = await route.prepare(recipe)
  const found = { input, answer: await route.send(input) }
  await minimise(route, found, 'hang', never)
  expect(route.sent.length).toBe(1 + 3)
  await minimise(route, found, 'hang', () => true)
  expect(route.sent.length).toBe(1 + 3)
})
