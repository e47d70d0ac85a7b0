import { expect, test } from 'vitest'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import {
  agentAnswers,
  makeAgentKeys,
  type Play,
  registrarAnswers,
  verifierAnswers,
} from '../../../conformance/peers/tenant-servers.ts'
import type { TenantStage } from '../../../conformance/peers/tenants.ts'
import { USUAL_FORMS } from '../../../simulator/agents/key-forms.ts'
import type { ReceivedRequest } from '../../../simulator/services/service.ts'
import { addedBody, requireU, tenantOperations } from './tenant-operations.ts'

const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const play = { agentId: ID, machine: {}, agentVersions: ['2.5'] } as unknown as Play
const keys = makeAgentKeys(ID, USUAL_FORMS)
const ANSWERS = {
  registrar: registrarAnswers(play, () => ({ port: 1, tlsPort: 1 })),
  verifier: verifierAnswers(play, keys),
  agent: agentAnswers(play, keys),
}

const requestOf = (method: string, url: string, json?: unknown): ReceivedRequest => {
  return { method, url, json, headers: {}, body: '', at: 0 }
}

test.each(Object.entries(ANSWERS))('a tenant may send any target to the %s', async (_, answer) => {
  const targets = ['//', '//version', 'http://[', '*', '/%', '/v2.5/agents/%zz', '?', '']
  const statuses = targets.map(async (url) => Object(await answer(requestOf('GET', url))).status)
  expect(await Promise.all(statuses)).toEqual(targets.map(() => expect.any(Number)))
})

test.each([
  ['a V key', 32],
  ['a text that is too long for RSA', 400],
])('the verifier of a tenant takes an agent with %s', async (_, bytes) => {
  const request = requestOf('POST', `/v2.5/agents/${ID}`, { v: base64(new Uint8Array(bytes)) })
  expect(ANSWERS.verifier(request)).toMatchObject({ status: 200 })
})

test.each([
  ['a%20b', 'a b'],
  ['a%zz', 'a%zz'],
])('a policy that is sent as %s is called %s', (part, name) => {
  const requests = [
    { peer: 'verifier', request: requestOf('POST', `/v2.5/allowlists/${part}`, {}) },
  ]
  const { policies } = tenantOperations({ requests } as unknown as TenantStage)
  expect(policies.map((policy) => policy.name)).toEqual([name])
})

const stageOf = (...requests: readonly unknown[]) =>
  tenantOperations({ requests } as unknown as TenantStage)
const ADDED = { peer: 'verifier', request: requestOf('POST', `/v2.5/agents/${ID}`, { v: 'AAAA' }) }
const SENT_U = { peer: 'agent', request: requestOf('POST', '/v2.5/keys/ukey', { auth_tag: 'aa' }) }

test('what a tenant sends is judged once it has added an agent and sent the U key', () => {
  expect(addedBody(stageOf(ADDED, SENT_U), 0)).toEqual({ v: 'AAAA' })
  expect(() => requireU(stageOf(ADDED, SENT_U), 0)).not.toThrow()
  expect(() => addedBody(stageOf(SENT_U), 1)).toThrow(PrerequisiteFailed)
  expect(() => requireU(stageOf(ADDED), 0)).toThrow(PrerequisiteFailed)
})
