import { scenario } from '../../../conformance/scenario.ts'
import { gapsOf, registrarStepOf } from '../support/engine.ts'

const FAILURES = 4
/** Minimum ratio of the fourth wait to the second: doubled waits give four, and those that grow by the same amount two. */
const GROWS_BY = 2.1
const WITHIN = { withinMs: 20_000, everyMs: 50 }

export default scenario({
  id: 'pull-agent.registration.backoff',
  title: 'A pull agent waits longer and longer before it tries to register again',
  requirements: ['AGT-REG-BACKOFF'],
  role: 'pull_agent',
  seconds: 5,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ pullAgents, until, check, notApplicable }) {
    const misbehave = [{ on: 'register', answer: { status: 503 }, times: FAILURES }] as const
    const { registrar, process } = await pullAgents.start({ misbehave })
    const attempts = () =>
      registrar.exchanges.filter(({ request }) => registrarStepOf(request)?.name === 'register')
    await until(() => attempts().length > FAILURES || process.exitReason() !== undefined, WITHIN)
    const gaps = gapsOf(attempts())
    if (gaps.length < FAILURES) notApplicable(`the agent tries ${gaps.length + 1} times`)
    check('AGT-REG-BACKOFF', 'milliseconds of the waits after the second and the fourth failure')
      .measured([gaps[1] ?? 0, gaps[3] ?? 0])
      .matches(`the last ${GROWS_BY} times as long`, ([second = 0, fourth = 0]) => {
        return fourth >= second * GROWS_BY
      })
  },
})
