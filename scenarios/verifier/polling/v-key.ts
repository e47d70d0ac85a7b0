import { base64, type PullAgent, results, scenario } from '../../../conformance/scenario.ts'
import { countOf, STRANGER } from '../support/engine.ts'

function handedTo({ asked }: PullAgent) {
  return asked.filter(({ operation }) => operation === 'vkey')
}

function isJson(type: string | undefined): boolean {
  return type?.toLowerCase().startsWith('application/json') === true
}

export default scenario({
  id: 'verifier.polling.v-key',
  title:
    'The verifier sends a V key only to the agent whose quote verified, encrypted to its public key',
  requirements: [
    ...['VER-PULL-V-ENCRYPTED', 'VER-ADD-V-SENT', 'VER-ADD-V-FORM', 'VER-STATUS-V-BASE64'],
    ...['VER-PULL-V-PROVEN', 'VER-ADD-V-OPTIONAL', 'VER-STATUS-COUNT-GROWS'],
    'VER-POLLS',
    ...['VER-ADD-SUPPORTED-VERSION', 'VER-PULL-V-JSON'],
  ],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  async run({ machines, verifier, random, check }) {
    // With zero bytes at both ends, which a text or a number loses.
    const v = Uint8Array.of(0, ...random.bytes(30), 0)
    const agent = await machines.pullAgent({ v })
    const stranger = await machines.pullAgent({ v, script: [{ does: 'other-node-key', from: 1 }] })
    const without = await machines.pullAgent()
    const own = random.bytes(32)
    const second = await machines.pullAgent({ v: own, nodeKeyName: STRANGER })
    const members = { supported_version: '2.2' }
    const older = await machines.pullAgent({ v, versions: ['2.2'], members })
    const record = await agent.recordOnce(() => agent.v !== undefined)
    const { length: before } = agent.polls
    await second.recordOnce(() => second.v !== undefined)
    await older.recordOnce(() => handedTo(older).length > 0)
    check('VER-STATUS-V-BASE64', 'v')
      .of(results(record, 'v'))
      .matches('none, or 32 bytes in base64', (value) => {
        return typeof value !== 'string' || Buffer.from(value, 'base64').length === 32
      })
    await stranger.recordOnce((one) => typeof results(one, 'last_event_id') === 'string')
    const passed = await without.recordOnce((one) => countOf(one) >= 1)
    // A poll begins when the one before has been counted.
    const { length: polls } = await agent.polled(before + 2)
    if (agent.v !== undefined)
      check('VER-POLLS', 'polls of an agent after it received its V key')
        .measured(polls - before)
        .matches('at least 2', (later) => later >= 2)
    const counted = await verifier.readAgent(agent.id)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count of an agent that received its V key')
      .of(countOf(counted))
      .matches(`at least ${polls - 1}`, (count) => count >= polls - 1)
    check('VER-PULL-V-ENCRYPTED', 'whether it was sent unencrypted')
      .of(
        [agent, stranger, without, older].flatMap(({ asked }) =>
          asked.filter(({ body }) => body.includes(base64(v))),
        ).length,
      )
      .is(0)
    check('VER-ADD-V-FORM', 'the received V key')
      .of(agent.v && base64(agent.v))
      .is(base64(v))
    check('VER-ADD-V-SENT', 'the received V key')
      .of(agent.v && base64(agent.v))
      .meets({
        'by the verifier': (received) => received === base64(v),
        'by the tenant': (received) => received === undefined,
      })
    check('VER-PULL-V-ENCRYPTED', 'the V key that an agent with another public key received')
      .of(second.v && base64(second.v))
      .is(base64(own))
    check('VER-ADD-SUPPORTED-VERSION', 'version of the path of the V key for an agent of 2.2')
      .of(handedTo(older)[0]?.version)
      .meets({
        'its own': (used) => used === '2.2',
        'none, as the tenant sends it': (used) => used === undefined,
      })
    check('VER-PULL-V-JSON', 'media types of the requests with a V key')
      .of([agent, second, older].flatMap(handedTo).map(({ contentType }) => contentType))
      .matches('application/json each', (types) => types.every(isJson))
    check('VER-PULL-V-PROVEN', 'times that it was sent to a key not covered by a quote')
      .of(handedTo(stranger).length) // the defect
      .is(0)
    check(
      'VER-ADD-V-OPTIONAL',
      'attestation_count of an agent without a V key, and V keys sent to it',
    )
      .of([countOf(passed) >= 1, handedTo(without).length])
      .is([true, 0])
  },
})
