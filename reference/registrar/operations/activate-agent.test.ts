import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../../dev/testing/test-registrar.ts'

test('the right tag activates', async () => {
  const { register, activate, store } = await testRegistrar()
  await register()
  expect(await activate()).toEqual({})
  expect((await store.find(AGENT))?.active).toBe(1)
})

test('the right tag may come again', async () => {
  const { register, activate, store } = await testRegistrar()
  await register()
  await activate()
  expect(await activate()).toEqual({})
  expect((await store.find(AGENT))?.active).toBe(1)
})

test.each<[string, (tag: string) => string]>([
  ['another tag', (tag) => tag.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
  ['the tag in upper case', (tag) => tag.toUpperCase()],
  ['the tag cut short', (tag) => tag.slice(0, -1)],
  ['the tag and more', (tag) => `${tag}0`],
  ['the tag and a blank', (tag) => `${tag} `],
  ['the tag in base64', (tag) => Buffer.from(tag, 'hex').toString('base64')],
])('%s activates no agent, changes no record, and reveals nothing', async (_, change) => {
  const { register, ask, store } = await testRegistrar()
  await register()
  const before = await store.find(AGENT)
  const tag = before?.expected_tag ?? ''
  const refusal = await refusalOf(() => ask('activate-agent', { auth_tag: change(tag) }))
  expect(refusal).toMatchObject({ status: 400, pointer: '/auth_tag' })
  expect(refusal.message).not.toMatch(/[0-9a-f]{16}/i)
  expect(await store.find(AGENT)).toEqual(before)
})

test('a wrong tag does no harm to an active record, nor to the right tag', async () => {
  const { register, activate, ask, store } = await testRegistrar()
  await register()
  await activate()
  await refusalOf(() => ask('activate-agent', { auth_tag: '0'.repeat(96) }))
  expect((await store.find(AGENT))?.active).toBe(1)
  expect(await activate()).toEqual({})
})

test('the tag of an earlier blob is wrong', async () => {
  const { register, ask, store } = await testRegistrar()
  await register()
  const auth_tag = (await store.find(AGENT))?.expected_tag
  await register()
  expect(await refusalOf(() => ask('activate-agent', { auth_tag }))).toMatchObject({ status: 400 })
})

test('the tag of another agent is wrong', async () => {
  const { register, ask, store } = await testRegistrar()
  await register()
  await register({}, 'other')
  const auth_tag = (await store.find('other'))?.expected_tag
  expect(await refusalOf(() => ask('activate-agent', { auth_tag }))).toMatchObject({ status: 400 })
})

test('an agent that never registered is unknown', async () => {
  const { ask } = await testRegistrar()
  const refusal = await refusalOf(() => ask('activate-agent', { auth_tag: 'x' }))
  expect(refusal.code).toBe('not_found')
})

test.each([undefined, null, 7, '', ['x']])('the tag %o is malformed', async (auth_tag) => {
  const { register, ask } = await testRegistrar()
  await register()
  const refusal = await refusalOf(() => ask('activate-agent', { auth_tag }))
  expect(refusal).toMatchObject({ status: 400, pointer: '/auth_tag' })
})
