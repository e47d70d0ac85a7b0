import { expect, test } from 'vitest'
import { PUSH_AGENT_SETTINGS } from '../../../config/push-agent-settings.ts'
import { NoAnswer } from '../../../http-client/json-client.ts'
import { granted } from '../testing/push-answers.ts'
import { type Call, reply, testEnvironment } from '../testing/push-environment.ts'
import { run } from '../testing/run-cycles.ts'
import { presentWhy } from './remedies.ts'

/** The text for the first failure. */
async function reasonFor(
  call: Call,
  answer: Parameters<ReturnType<typeof testEnvironment>['answers']>[1],
) {
  const scene = testEnvironment()
  scene.answers(call, answer)
  const words = (await run(scene)).flatMap((step) => presentWhy(step) ?? [])
  return words[0] ?? ''
}

test.each<[string, Call, Parameters<typeof reasonFor>[1], readonly string[]]>([
  [
    'a registrar that is not there',
    'version',
    new NoAnswer('ECONNREFUSED', 'unreachable'),
    ['registrar_ip', 'registrar_port'],
  ],
  [
    'a registrar of another CA',
    'version',
    new NoAnswer('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'),
    ['registrar_tls_ca_cert', 'registrar_ip'],
  ],
  [
    'a verifier that is not there',
    'session',
    new NoAnswer('ECONNREFUSED', 'unreachable'),
    ['verifier_url'],
  ],
  [
    'a verifier of another CA',
    'capabilities',
    new NoAnswer('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'),
    ['verifier_tls_ca_cert', 'verifier_url'],
  ],
])('the text for %s names the settings that may be wrong', async (_, call, answer, settings) => {
  const words = await reasonFor(call, answer)
  expect(words).toMatch(/^no answer of the (registrar|verifier): [A-Z_]+; check that/)
  for (const setting of settings) expect(words).toContain(setting)
  const named = words.split('; ')[1]?.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []
  expect(named.filter((name) => !(name in PUSH_AGENT_SETTINGS))).toEqual([])
})

test.each<[string, Call, Parameters<typeof reasonFor>[1], string]>([
  ['add', 'proof', reply(200, granted({ evaluation: 'fail', token: undefined })), 'add the agent'],
  ['add', 'capabilities', reply(404, {}), 'add the agent'],
  ['reactivate', 'capabilities', reply(403, {}), 'reactivate the agent'],
])(
  'the advice for the agent is that an administrator has to %s it',
  async (_, call, answer, next) => {
    expect(await reasonFor(call, answer)).toContain(`an administrator has to ${next}`)
  },
)

test('a transient failure has no advice', async () => {
  expect(await reasonFor('capabilities', reply(503, {}))).toBe(
    'the verifier answered with HTTP 503',
  )
})

test('a refusal of the registrar comes with advice', async () => {
  const words = await reasonFor('register', reply(403, { status: 'another TPM' }))
  expect(words).toContain('"another TPM"; another TPM has this id: choose another uuid')
})
