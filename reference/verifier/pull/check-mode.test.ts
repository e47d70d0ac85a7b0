import { expect, test } from 'vitest'
import { AGENT_TLS } from '../../dev/testing/pull-agent.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { checkMode } from './check-mode.ts'

const MTLS = { mode: 'both', enable_agent_mtls: true } as const
const COMPLETE = { ip: '127.0.0.1', port: '9002', mtls_cert: AGENT_TLS.certificate }

test('an agent with an address and a certificate is asked', () => {
  expect(checkMode(MTLS, COMPLETE)).toBe('pull')
})

test.each([
  ['an address', { ip: null }],
  ['a port', { port: null }],
  ['a certificate', { mtls_cert: null }],
  ['a certificate, as agents say it', { mtls_cert: 'disabled' }],
])('an agent without %s is a push agent, or is refused in pull mode', async (_, change) => {
  expect(checkMode(MTLS, { ...COMPLETE, ...change })).toBe('push')
  const refused = () => checkMode({ ...MTLS, mode: 'pull' }, { ...COMPLETE, ...change })
  expect(await refusalOf(async () => refused())).toMatchObject({ code: 'malformed_request' })
})

test('push mode needs no address and no certificate', () => {
  expect(checkMode({ ...MTLS, mode: 'push' }, COMPLETE)).toBe('push')
})

test('without mTLS an agent that has no certificate is asked too', () => {
  const settings = { ...MTLS, enable_agent_mtls: false }
  expect(checkMode(settings, { ...COMPLETE, mtls_cert: 'disabled' })).toBe('pull')
})

test.each([
  ['/cloudagent_port', { port: '70000' }],
  ['/cloudagent_port', { port: 'x' }],
  ['/mtls_cert', { mtls_cert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }],
])('%s that cannot be used is refused by its name', async (pointer, change) => {
  const refused = async () => checkMode(MTLS, { ...COMPLETE, ...change })
  expect(await refusalOf(refused)).toMatchObject({ code: 'malformed_request', pointer })
})
