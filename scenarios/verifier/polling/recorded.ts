import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

const SECONDS = 60

const ZERO_OR_NULL = {
  0: (time: unknown) => time === 0,
  null: (time: unknown) => time === null,
}

export default scenario({
  id: 'verifier.polling.recorded',
  title: 'The verifier records the result of the quotes of a pull agent',
  requirements: [
    ...['VER-STATUS-COUNT-GROWS', 'VER-STATUS-RECEIVED-ANY', 'VER-STATUS-SUCCESS-ONLY'],
    ...['VER-STATUS-RECEIVED-NONE', 'VER-STATUS-SUCCESS-NONE', 'VER-STATUS-COUNT-ZERO'],
    ...['VER-STATUS-HASH-IN-USE', 'VER-STATUS-ENC-IN-USE', 'VER-STATUS-SIGN-IN-USE'],
    'VER-STATUS-ATTESTATION-MODE',
    'VER-KEEPS-STATUS',
  ],
  role: 'verifier',
  provesFunction: true,
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  async run({ machines, verifier, check, observe, now }) {
    const began = now() / 1000 - SECONDS
    const mute = await machines.pullAgent({ script: [{ does: 'no-answer', from: 1 }] })
    const closed = await machines.pullAgent({ script: [{ does: 'connection-reset', from: 1 }] })
    const good = await machines.pullAgent({ boots: 'measure /usr/bin/größe' })
    const bad = await machines.pullAgent({ script: [{ does: 'signature-altered', from: 1 }] })
    const named = await machines.pullAgent({ script: [{ does: 'charset-named', from: 1 }] })
    await mute.polled(1)
    const unheard = await verifier.readAgent(mute.id)
    const passed = await good.recordOnce((one) => countOf(one) >= 1)
    const failed = await bad.recordOnce((one) => results(one, 'last_event_id') !== null)
    const isNow = (time: unknown) => typeof time === 'number' && time >= began
    const none = (time: unknown) => time === 0 || time === null

    check('VER-KEEPS-STATUS', 'HTTP statuses')
      .of([unheard, passed, failed].map((one) => one.status))
      .is([200, 200, 200])
    check('VER-STATUS-COUNT-ZERO', 'attestation_count of an unreachable agent')
      .of(countOf(unheard))
      .is(0)
    check('VER-STATUS-SUCCESS-NONE', 'last_successful_attestation of an unreachable agent')
      .of(results(unheard, 'last_successful_attestation'))
      .meets(ZERO_OR_NULL)
    check('VER-STATUS-ATTESTATION-MODE', 'attestation_status of three')
      .of([unheard, passed, failed].map((one) => results(one, 'attestation_status')))
      .meets({
        'either mode': (seen) => String(seen) === 'PENDING,PASS,FAIL',
        'push only': (seen) => seen.every((one) => one === null || one === undefined),
      })
    // The next poll begins when the one before has ended without an answer.
    await closed.polled(2)
    const triedAgain = await verifier.readAgent(closed.id)
    for (const one of [unheard, triedAgain])
      check('VER-STATUS-RECEIVED-NONE', 'last_received_quote of an unreachable agent')
        .of(results(one, 'last_received_quote'))
        .meets(ZERO_OR_NULL)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count passed')
      .of(countOf(passed))
      .matches('at least 1', (count) => count >= 1)
    check('VER-STATUS-COUNT-GROWS', 'attestation_count of an agent whose answers name a charset')
      .of(countOf(await named.recordOnce((one) => countOf(one) >= 1)))
      .matches('at least 1', (count) => count >= 1)
    check('VER-STATUS-RECEIVED-ANY', 'last_received_quote passed, and failed')
      .of([passed, failed].map((one) => results(one, 'last_received_quote')))
      .matches('now', (times) => times.every(isNow))
    check('VER-STATUS-SUCCESS-ONLY', 'last_successful_attestation passed, and failed')
      .of([passed, failed].map((one) => results(one, 'last_successful_attestation')))
      .matches('now, and 0 or null', ([one, other]) => isNow(one) && none(other))
    const inUse = (member: string) => results(passed, member)
    check('VER-STATUS-HASH-IN-USE', 'hash_alg').of(inUse('hash_alg')).is('sha256')
    check('VER-STATUS-ENC-IN-USE', 'enc_alg').of(inUse('enc_alg')).isOneOf(['ecc256', 'ecc'])
    check('VER-STATUS-SIGN-IN-USE', 'sign_alg').of(inUse('sign_alg')).is('ecdsa')
    observe(
      'operational_state',
      'unreachable, passed, failed',
      [unheard, passed, failed].map((one) => results(one, 'operational_state')),
    )
    observe('severity_level', 'failed', results(failed, 'severity_level'))
  },
})
