import { results, scenario } from '../../conformance/scenario.ts'
import { awaitPayload, sendPayload } from './support/agent-payload.ts'
import { growthOfBoottime, timed } from './support/boottime.ts'
import { awaitDerived, compareQuote, freshNonce, readQuote } from './support/engine.ts'

/** Milliseconds from the start of the agent to its restart: its boottime is not the time since it was started. */
const ALIVE_MS = 2500

const textOf = (which: string) => `a payload of the ${which} start\n`

export default scenario({
  id: 'pull-agent.restarted',
  title:
    'A pull agent that is started again has its registered key and certificate, counts on from the boot, and takes keys and a payload',
  requirements: [
    ...['AGT-REG-ACTIVATES', 'AGT-TLS-CERTIFICATE', 'AGT-IDENTITY-QUOTE-BY-AK'],
    ...['AGT-IDENTITY-BOOTTIME-SECONDS', 'AGT-KEYS-SEPARATE', 'AGT-UKEY-PAYLOAD'],
  ],
  role: 'pull_agent',
  seconds: 6,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'pull-agent.registration.record',
  async run({ pullAgents, random, check, observe, elapse, now }) {
    const began = now()
    const started = await pullAgents.start()
    const first = await pullAgents.connect(started)
    await sendPayload(first, textOf('first'))
    if (started.payloadFile !== undefined) await awaitPayload(first, textOf('first'))
    const alive = now() - began
    if (alive < ALIVE_MS) await elapse(ALIVE_MS - alive, 'the life of the process is')
    const before = await timed(() => first.identity(freshNonce(random)))

    await started.restart() // the difference
    const agent = await pullAgents.connect(started)
    const nonce = freshNonce(random)
    const after = await timed(() => agent.identity(nonce))
    const { activated, body } = agent.registration
    check('AGT-REG-ACTIVATES', 'activated').of(activated).isOneOf(['base64', 'raw'])
    check('AGT-TLS-CERTIFICATE', 'HTTP status, over TLS').of(after.value.status).is(200)
    const quote = readQuote(String(results(after.value, 'quote')))
    const known = { machine: agent.machine, attestationKey: String(body['aik_tpm']), nonce }
    check('AGT-IDENTITY-QUOTE-BY-AK', 'the registered key made the quote')
      .of((await compareQuote(quote, known)).signed)
      .is(true)
    observe('RESTART', 'its key', body['aik_tpm'] === first.registration.body['aik_tpm'])
    const boottimes = [before, after].map(({ value }) => results(value, 'boottime'))
    check('AGT-IDENTITY-BOOTTIME-SECONDS', 'boottime before and after the restart')
      .of(boottimes)
      .matches(...growthOfBoottime(after.from - before.to, after.to - before.from))
    const keys = await sendPayload(agent, textOf('second'))
    check('AGT-KEYS-SEPARATE', 'K of keys after the restart')
      .of((await awaitDerived(agent, keys, random)).derived)
      .is(true)
    if (started.payloadFile === undefined) return
    check('AGT-UKEY-PAYLOAD', 'the payload after the restart was delivered')
      .of(await awaitPayload(agent, textOf('second')))
      .is(true)
  },
})
