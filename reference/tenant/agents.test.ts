import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KEYS } from '../dev/testing/certificates/recorded-keys.ts'
import { shareRegistrations } from '../dev/testing/storage/open-store.ts'
import { registrationRow } from '../dev/testing/storage/rows.ts'
import { AGENT, agentRequest } from '../dev/testing/verifier/push-requests.ts'
import { tenantOfBoth } from './testing/run-tenant.ts'

const RECORD = registrationRow({
  ...{ agent_id: AGENT, active: 1, aik_tpm: KEYS.akRsa, ekcert: KEYS.ekcert, ek_tpm: KEYS.ek },
  ...{ ip: '192.0.2.1', port: 9002 },
})

/** Both servers, with an agent that is registered and one that the verifier has. */
async function withAgent({ registered = true, added = true } = {}) {
  const both = await tenantOfBoth()
  const store = shareRegistrations(join(both.state_dir, 'registrar.sqlite'))
  if (registered) await store.change(AGENT, () => RECORD)
  const addition = { method: 'POST', body: agentRequest(), admin: true }
  if (added) await both.ask('verifier', `/v2.5/agents/${AGENT}`, addition)
  return both
}

test('reglist and regstatus show a registered agent until regdelete', async () => {
  const { say, sayJson } = await withAgent({ added: false })
  const { aik_tpm, ip, port } = RECORD
  expect(await sayJson('reglist')).toMatchObject({ result: { agents: [AGENT] } })
  expect(await sayJson('regstatus')).toMatchObject({ result: { registrar: { aik_tpm, ip, port } } })
  expect((await say('regdelete', '-u', AGENT)).code).toBe(0)
  expect(await say('regstatus')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/has no agent/),
  })
  expect((await say('-c', 'reglist')).out).toBe('no agents\n')
})

test('cvstatus shows a verified agent, without the V key, until delete', async () => {
  const { say, sayJson } = await withAgent()
  const verifier = { operational_state: 3, attestation_count: 0, has_v: false }
  expect(await sayJson('cvstatus')).toMatchObject({ result: { agent_id: AGENT, verifier } })
  expect((await say('cvstatus')).out).toMatch(/operational_state *│ 3 \(get_quote\)/)
  expect((await say('delete')).out).toBe(`agent ${AGENT} deleted from the verifier\n`)
  expect(await say('delete')).toMatchObject({ code: 1, err: expect.stringMatching(/not_found/) })
})

test('cvlist and bulkinfo show every agent of the verifier', async () => {
  const { sayJson } = await withAgent()
  expect(await sayJson('cvlist')).toMatchObject({ result: { agents: [AGENT] } })
  const record = { operational_state: 3, has_v: false }
  expect(await sayJson('bulkinfo')).toMatchObject({ result: { agents: { [AGENT]: record } } })
  expect(await sayJson('cvlist', '-vi', 'another')).toMatchObject({ result: { agents: [] } })
})

test('stop and reactivate move the state that cvstatus shows', async () => {
  const { say, sayJson } = await withAgent()
  const state = async () => (await sayJson('cvstatus')).result
  expect((await say('stop')).code).toBe(0)
  expect(await state()).toMatchObject({ verifier: { operational_state: 10 } })
  expect((await say('reactivate')).code).toBe(0)
  expect(await state()).not.toMatchObject({ verifier: { operational_state: 10 } })
})

test.each([
  [{}, { registrar: { ip: '192.0.2.1' }, verifier: { operational_state: 3 } }],
  [{ added: false }, { registrar: { ip: '192.0.2.1' }, verifier: null }],
  [{ registered: false }, { registrar: null, verifier: { operational_state: 3 } }],
])('status of an agent that is %j shows either record', async (known, result) => {
  const { sayJson } = await withAgent(known)
  expect(await sayJson('status')).toMatchObject({ outcome: 'done', result })
})

test('the status of an unknown agent is refused', async () => {
  const { sayJson } = await withAgent({ registered: false, added: false })
  expect(await sayJson('status')).toMatchObject({ outcome: 'refused', code: 'not_found' })
})

test.each(['', '../x', 'a b', '-x'.repeat(50)])('%j is no id of an agent', async (id) => {
  const { say } = await withAgent({ registered: false, added: false })
  expect(await say('cvstatus', `--uuid=${id}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('no id'),
  })
})

test('the error for an administrator of another CA says which CA is needed', async () => {
  const [one, other] = [await tenantOfBoth(), await tenantOfBoth()]
  const theirs = (name: string) => join(other.state_dir, 'cv_ca', name)
  const said = await one.say(
    'reglist',
    ...['--set', `client_cert=${theirs('client-cert.crt')}`],
    ...['--set', `client_key=${theirs('client-private.pem')}`],
  )
  expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/\[not_authorized\]/) })
})

test('a server of another CA is not asked', async () => {
  const [one, other] = [await tenantOfBoth(), await tenantOfBoth()]
  const said = await one.say('reglist', '-rp', String(other.portOf('registrar')))
  expect(said).toMatchObject({ code: 2, err: expect.stringMatching(/not trusted here/) })
})
