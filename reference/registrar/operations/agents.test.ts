import { expect, test } from 'vitest'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { AGENT, testRegistrar } from '../../dev/testing/test-registrar.ts'

test('an active record has the seven members of the document', async () => {
  const { register, activate, ask } = await testRegistrar()
  await register()
  await activate()
  expect((await ask('read-agent')).body).toEqual({
    aik_tpm: KEYS.akRsa,
    ek_tpm: KEYS.ek,
    ekcert: KEYS.ekcert,
    mtls_cert: null,
    ip: '192.0.2.1',
    port: 9002,
    regcount: 1,
  })
})

test('a record that was never activated is not shown', async () => {
  const { register, ask } = await testRegistrar()
  await register()
  expect(await refusalOf(() => ask('read-agent'))).toMatchObject({
    status: 404,
    message: `Agent with ID '${AGENT}' has not been activated`,
  })
})

test.each(['read-agent', 'delete-agent'] as const)(
  '%s of an unknown agent is 404',
  async (operation) => {
    const { ask } = await testRegistrar()
    expect(await refusalOf(() => ask(operation))).toMatchObject({
      status: 404,
      message: `Agent with ID '${AGENT}' not found`,
    })
  },
)

test('ids are listed in order from the activation on', async () => {
  const { register, activate, ask } = await testRegistrar()
  for (const id of ['b', 'a', 'c']) await register({}, id)
  expect((await ask('list-agents')).body).toEqual({ uuids: [] })
  await activate('b')
  await activate('a')
  expect((await ask('list-agents')).body).toEqual({ uuids: ['a', 'b'] })
  await register({}, 'a')
  expect((await ask('list-agents')).body).toEqual({ uuids: ['a', 'b'] })
})

test('without agents the list is empty', async () => {
  const { ask } = await testRegistrar()
  expect((await ask('list-agents')).body).toEqual({ uuids: [] })
})

test.each([true, false])('a record whose activation is %s is deleted once', async (activated) => {
  const { register, activate, ask } = await testRegistrar()
  await register()
  if (activated) await activate()
  expect(await ask('delete-agent')).toEqual({})
  expect(await refusalOf(() => ask('delete-agent'))).toMatchObject({ status: 404 })
})

test('the tag of a deleted record activates nothing', async () => {
  const { register, ask, store } = await testRegistrar()
  await register()
  const auth_tag = (await store.find(AGENT))?.expected_tag
  await ask('delete-agent')
  expect(await refusalOf(() => ask('activate-agent', { auth_tag }))).toMatchObject({ status: 404 })
  expect(await store.find(AGENT)).toBeUndefined()
})
