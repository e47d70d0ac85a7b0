import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { type Answer, OTHER_TLS, pullAgent, say } from '../../dev/testing/pull-agent.ts'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { PCR } from '../../dev/testing/stub-pull-machine.ts'
import { polling } from '../../dev/testing/verifier/polling.ts'
import { AGENT } from '../../dev/testing/verifier/push-requests.ts'

const FILE = 'a'.repeat(64)

/** Template data of an ima-ng entry, its line, and PCR 10 after it. */
function measured(path: string, before: Uint8Array = Buffer.alloc(32)) {
  const prefixed = (...parts: readonly Uint8Array[]) => {
    const size = Buffer.alloc(4)
    const bytes = Buffer.concat(parts)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([size, bytes])
  }
  const data = Buffer.concat([
    prefixed(Buffer.from('sha256:\0'), Buffer.from(FILE, 'hex')),
    prefixed(Buffer.from(`${path}\0`)),
  ])
  const template = createHash('sha1').update(data).digest('hex')
  const extended = createHash('sha256')
    .update(before)
    .update(createHash('sha256').update(data).digest())
    .digest()
  return { line: `10 ${template} ima-ng sha256:${FILE} ${path}\n`, pcr: extended }
}

const FIRST = measured('/first')
const SECOND = measured('/second', FIRST.pcr)
const BOTH = { list: [FIRST.line, SECOND.line], ima: SECOND.pcr.toString('hex') }
const POLICY = runtimePolicy({ '/first': [FILE], '/second': [FILE] })
const MEASURED = { runtime_policy: toBase64(Buffer.from(POLICY)) }

test('an IMA list is asked for from where the last one ended, and replayed from there', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.set({ list: [FIRST.line], ima: FIRST.pcr.toString('hex') })
  await verifier.add(agent, MEASURED)
  agent.set(BOTH)
  await verifier.passes(3)
  expect(agent.asked.map(({ query }) => query['ima_ml_entry'])).toEqual(['0', '1', '2'])
  expect(agent.asked[0]?.query['mask']).toBe('0x401')
})

test('after its policy was replaced the whole list is asked for, and judged by the new one', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.set(BOTH)
  await verifier.add(agent, MEASURED)
  await verifier.passes(2)
  const replace = (policy: string) => {
    const runtime_policy = toBase64(Buffer.from(policy))
    return verifier.verifier.ask('replace-runtime-policy', { name: AGENT }, { runtime_policy })
  }
  await replace(`${POLICY} `)
  await verifier.passes(4)
  expect(agent.asked.map(({ query }) => query['ima_ml_entry'])).toEqual(['0', '2', '0', '2'])
  await replace(runtimePolicy({ '/second': [FILE] }))
  await verifier.settles(9)
  expect(agent.asked.at(-1)?.query['ima_ml_entry']).toBe('0')
})

test('a list that does not continue the previous one does not verify', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.set({ list: [FIRST.line], ima: FIRST.pcr.toString('hex') })
  await verifier.add(agent, MEASURED)
  agent.set({ ...BOTH, ima: 'cd'.repeat(32) })
  await verifier.settles(9)
  expect(await verifier.record()).toMatchObject({ last_event_id: 'ima.pcr_mismatch' })
})

test.each(['1.0', '2.5'])(
  'of a machine of %s that was reset the whole list and the node key are asked for at once',
  async (supported_version) => {
    const [agent, verifier] = [await pullAgent(), await polling()]
    agent.set(BOTH)
    await verifier.add(agent, { ...MEASURED, supported_version })
    await verifier.passes(1)
    agent.set({ resetCount: 6 })
    await verifier.passes(2)
    expect(agent.asked.map(({ query }) => [query['partial'], query['ima_ml_entry']])).toEqual([
      ...[
        ['0', '0'],
        ['1', '2'],
        ['0', '0'],
      ],
    ])
  },
)

/** Speaks these versions only. */
const supports =
  (...versions: readonly string[]): Answer =>
  (asked, response, honest) => {
    const listed = { supported_version: versions.at(-1), supported_versions: versions }
    if (asked.path === '/version') say(response, 200, listed)
    else if (versions.some((version) => asked.path.startsWith(`/v${version}/`))) honest()
    else say(response, 400, {}, 'API version not supported')
  }

const pathsOf = (agent: { readonly asked: readonly { readonly path: string }[] }) =>
  agent.asked.map(({ path }) => path)

test('an agent of another version is polled with the highest common one, which is stored', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.answers(supports('2.2', '2.3'))
  await verifier.add(agent)
  await verifier.passes(2)
  expect(pathsOf(agent)).toEqual([
    ...['/v2.5/quotes/integrity', '/version', '/v2.3/quotes/integrity', '/v2.3/quotes/integrity'],
  ])
  expect(await verifier.stored()).toMatchObject({ supported_version: '2.3' })
})

test('an agent that was added with version 2 is asked in 2.0', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent, { supported_version: '2' })
  await verifier.passes(2)
  expect(pathsOf(agent)).toEqual(['/v2.0/quotes/integrity', '/v2.0/quotes/integrity'])
})

test('an agent that was upgraded is asked in its new version', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent, { supported_version: '2.2' })
  await verifier.passes(1)
  agent.answers(supports('2.4', '3.0'))
  await verifier.passes(2)
  expect(await verifier.stored()).toMatchObject({ supported_version: '2.4' })
})

test('an agent that has attested is not asked in an older version', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent)
  await verifier.passes(1)
  agent.answers(supports('2.1'))
  await verifier.settles(7)
  expect(await verifier.record()).toMatchObject({
    last_event_id: 'internal.verifier.version_not_supported',
  })
})

test('an agent that refuses the version it lists is given up in the end', async () => {
  const [agent, verifier] = [await pullAgent(), await polling(['max_retries=3'])]
  let listed = 2
  agent.answers(({ path }, response) => {
    listed = listed === 2 ? 3 : 2
    if (path === '/version') say(response, 200, { supported_version: `2.${listed}` })
    else say(response, 400, {}, 'API version not supported')
  })
  await verifier.add(agent)
  await verifier.settles(7)
})

test('after a restart an agent is asked on, from where its list had ended', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.set(BOTH)
  await verifier.add(agent, MEASURED)
  await verifier.passes(1)
  await verifier.verifier.polls.end(AGENT)
  await verifier.pass(60)
  expect(agent.asked).toHaveLength(1)
  await verifier.verifier.polls.start()
  await verifier.passes(2)
  expect(agent.asked.at(-1)?.query).toMatchObject({ partial: '0', ima_ml_entry: '2' })
})

test('an agent that ends its connections is asked over a new one, whose TLS session is resumed', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  agent.answers((_, response, honest) => {
    response.setHeader('connection', 'close')
    honest()
  })
  await verifier.add(agent)
  await verifier.passes(3)
  expect(agent.asked.map(({ isResumed }) => isResumed)).toEqual([false, true, true])
})

test('the certificate of one agent is trusted on no connection to another', async () => {
  const [one, other, verifier] = [await pullAgent(), await pullAgent(OTHER_TLS), await polling()]
  await verifier.verifier.ask('add-agent', { agent_id: 'other' }, other.request())
  await verifier.add(one)
  await verifier.passes(1)
  expect([one.asked.length, other.asked.length]).toEqual([1, 1])
  const { mtls_cert } = one.request()
  await verifier.verifier.ask('delete-agent', { agent_id: 'other' })
  await verifier.verifier.ask('add-agent', { agent_id: 'other' }, other.request({ mtls_cert }))
  await verifier.pass(2)
  expect(other.asked).toHaveLength(1)
})

test('a fault of ours is in the log, and the agent is asked again', async () => {
  let faults = 0
  const nonce = () => {
    faults += 1
    if (faults === 1) throw new TypeError('a fault of ours')
    return 'A'.repeat(20)
  }
  const [agent, verifier] = [await pullAgent(), await polling([], { nonce })]
  await verifier.add(agent)
  expect(await verifier.stored()).toMatchObject({ operational_state: 4 })
  await verifier.passes(1)
  expect(verifier.verifier.logged()).toContain('a fault of ours')
})

test('a fault of ours that stays ends where an administrator sees it', async () => {
  const nonce = () => {
    throw new TypeError('a fault of ours')
  }
  const [agent, verifier] = [await pullAgent(), await polling(['max_retries=2'], { nonce })]
  await verifier.add(agent)
  await verifier.settles(7)
  expect(await verifier.record()).toMatchObject({ last_event_id: 'internal.verifier.exception' })
})

test('a database that fails ends no polling', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  const { agents } = verifier.verifier.store
  const { find } = agents
  let failures = 0
  Object.assign(agents, {
    find: (id: string) => (++failures < 3 ? Promise.reject(new Error('disk full')) : find(id)),
  })
  await verifier.add(agent)
  await verifier.pass(60)
  await verifier.pass(60)
  await verifier.passes(1)
  expect(verifier.verifier.logged()).toContain('disk full')
})

test('an answer that never ends, and one that is too large, are none', async () => {
  const settings = ['poll_timeout=1', 'poll_answer_size=1024', 'max_retries=0']
  for (const answer of [
    (_, response) => void response.writeHead(200).write('{'),
    (_, response) => void response.end(' '.repeat(2000)),
  ] as readonly Answer[]) {
    const [agent, verifier] = [await pullAgent(), await polling(settings)]
    agent.answers(answer)
    await verifier.add(agent)
    await verifier.settles(7)
  }
})

test('a push attestation of a polled agent is refused', async () => {
  const [agent, verifier] = [await pullAgent(), await polling()]
  await verifier.add(agent)
  const body = { data: { type: 'attestation', attributes: { evidence_supported: [] } } }
  const sent = verifier.verifier.ask('create-attestation', { agent_id: AGENT }, body)
  await expect(sent).rejects.toMatchObject({ status: expect.any(Number) })
})

test('what severity rules call mild is in the record, and the agent is asked on', async () => {
  const mild = 'severity_policy=[{"event_id":"pcr.*","severity_label":"notice"}]'
  const [agent, verifier] = [await pullAgent(), await polling([mild])]
  agent.set({ pcr: 'cd'.repeat(32) })
  await verifier.add(agent)
  expect(await verifier.record()).toMatchObject({
    ...{ operational_state: 9, severity_level: 1, attestation_status: 'FAIL' },
    last_event_id: 'pcr_validation.invalid_pcr_0',
  })
  agent.set({ pcr: PCR })
  await verifier.passes(1)
  expect(verifier.verifier.incidents.map(({ type }) => type)).toEqual(['revocation'])
})
