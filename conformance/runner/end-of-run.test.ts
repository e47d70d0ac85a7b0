import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Slots } from '../attempt/slots.ts'
import { ANONYMOUS } from '../client/identity.ts'
import type { Context, Scenario } from '../scenario.ts'
import { ENVIRONMENT } from '../selftest/outcomes/five-outcomes.ts'
import { planTrials } from './plan.ts'
import { BAIL, endedEarly } from './result/ended-early.ts'
import { decideVerdict } from './result/outcome.ts'
import { startTrials } from './start-trials.ts'

const REASON = 'verifier exited with code 7 during the run: boom'
const base = { requirements: ['REQ'], role: 'verifier', since: '3.0' } as const
const one = ({ check }: Context) => void check('REQ', 'one').of(1).is(1)

/** The port of a server that accepts connections and never answers. */
async function silentPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Runs a scenario that passes, one during which `end` is called with a request open, and one after them. */
async function endedBy(signals: { died?: AbortController; interrupted?: AbortController }) {
  const { died = new AbortController(), interrupted = new AbortController() } = signals
  const url = `https://127.0.0.1:${await silentPort()}`
  const scenarios: readonly Scenario[] = [
    { ...base, id: 'a.passes', title: '', seconds: 9, run: async (context) => one(context) },
    {
      ...{ ...base, id: 'b.dies', title: '', seconds: 1 },
      async run({ verifier, check }) {
        const reply = verifier.client.exchange({ method: 'GET', url, credentials: ANONYMOUS })
        setImmediate(() => {
          signals.died?.abort()
          signals.interrupted?.abort('SIGINT')
        })
        check('REQ', 'status')
          .of((await reply).status)
          .is(200)
      },
    },
    { ...base, id: 'c.unrun', title: '', run: async (context) => one(context) },
    { ...base, id: 'd.variant', title: '', variantOf: 'b.dies', run: async () => undefined },
  ]
  const death = () =>
    died.signal.aborted ? { role: 'verifier' as const, says: REASON } : undefined
  const environment = {
    ...{ ...ENVIRONMENT, interrupted: interrupted.signal, scenarioMs: 60_000 },
    urls: { ...ENVIRONMENT.urls, verifier: url },
    health: { died: died.signal, death, suspect: () => Promise.resolve() },
  }
  const plan = { roles: ['verifier'], versions: ['3.0'], capabilities: [], only: [] }
  const options = { slots: new Slots(1), onFinished: () => undefined }
  const results = await Promise.all(startTrials(environment, planTrials(scenarios, plan), options))
  const ended = endedEarly(environment, results)
  return { outcomes: results.map(({ outcome }) => outcome), results, ended }
}

test('a subject that dies ends the run at that scenario, and does not conform', async () => {
  const { outcomes, results, ended } = await endedBy({ died: new AbortController() })
  expect(outcomes).toEqual(['pass', 'fail', 'skipped', 'skipped'])
  expect(results[1]?.reason).toBe(`the subject died while it ran: ${REASON}`)
  expect(results[2]?.reason).toBe('not run: the subject died before it')
  const says = `the subject died at b.dies 3.0: ${REASON}; 2 scenarios were not run`
  expect(ended).toEqual({ because: 'died', says })
  expect(decideVerdict(results, [says], 'died')).toEqual({
    verdict: 'does not conform',
    exitCode: 1,
  })
})

test('an interrupted run counts what had finished, and has no verdict', async () => {
  const { outcomes, results, ended } = await endedBy({ interrupted: new AbortController() })
  expect(outcomes).toEqual(['pass', 'skipped', 'skipped', 'skipped'])
  const says = 'the run was ended by SIGINT: 1 of 4 scenarios had finished'
  expect(ended).toEqual({ because: 'interrupted', says })
  expect(decideVerdict(results, [says], 'interrupted')).toEqual({
    verdict: 'no verdict',
    exitCode: 2,
  })
})

test('a run that its first failure ended counts what had finished, and does not conform', async () => {
  const interrupted = new AbortController()
  interrupted.abort(BAIL)
  const { results } = await endedBy({})
  const ended = endedEarly(
    { interrupted: interrupted.signal, health: { death: () => undefined } },
    results.map((one, at) => (at > 1 ? { ...one, unfinished: true } : one)),
  )
  const says = 'the run was ended after its first failure (--bail): 2 of 4 scenarios had finished'
  expect(ended).toEqual({ because: 'bail', says })
  expect(decideVerdict([{ outcome: 'fail' }, { outcome: 'skipped' }], [says], 'bail')).toEqual({
    verdict: 'does not conform',
    exitCode: 1,
  })
  expect(decideVerdict([{ outcome: 'harness-fault' }], [says], 'bail').exitCode).toBe(2)
})
