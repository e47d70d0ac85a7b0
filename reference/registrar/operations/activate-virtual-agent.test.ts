import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../../dev/testing/test-registrar.ts'

const DEEP_QUOTE = { deepquote: 'AAAA' }

test('a deep quote activates no agent, and changes nothing', async () => {
  const { register, ask, store } = await testRegistrar()
  await register()
  const before = await store.find(AGENT)
  const refusal = await refusalOf(() => ask('activate-virtual-agent', DEEP_QUOTE))
  expect(refusal).toMatchObject({ status: 400, pointer: '/deepquote' })
  expect(refusal.message).toMatch(/activate with auth_tag instead$/)
  expect(await store.find(AGENT)).toEqual(before)
})

test('an active agent stays active', async () => {
  const { register, activate, ask, store } = await testRegistrar()
  await register()
  await activate()
  await refusalOf(() => ask('activate-virtual-agent', DEEP_QUOTE))
  expect(await store.find(AGENT)).toMatchObject({ active: 1 })
})

test('an agent that never registered is not found', async () => {
  const { ask } = await testRegistrar()
  expect(await refusalOf(() => ask('activate-virtual-agent', DEEP_QUOTE))).toMatchObject({
    status: 404,
  })
})

test.each([
  ['nothing', {}],
  ['a number', { deepquote: 1 }],
  ['an empty text', { deepquote: '' }],
  ['no base64', { deepquote: '*' }],
])('%s for a deep quote is refused at its member', async (_, body) => {
  const { register, ask } = await testRegistrar()
  await register()
  expect(await refusalOf(() => ask('activate-virtual-agent', body))).toMatchObject({
    status: 400,
    pointer: '/deepquote',
  })
})
