import { scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.name-of-two-lines',
  title: 'The verifier asks for the next line of a list with a newline in a file name',
  requirements: ['VER-PULL-OFFSET'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode', 'ima_log'],
  async run({ machines, verifier, check, notApplicable }) {
    if (verifier.dialect['ima-names'] === 'one-line')
      notApplicable('the lists of the dialect have single-line names only')
    const agent = await machines.pullAgent({ boots: 'measure "/tmp/two\\nlines"' })
    const polls = await agent.polled(2)
    const record = await agent.recordOnce((one) => countOf(one) >= 2)
    check('VER-PULL-OFFSET', 'attestation_count after two polls')
      .of(countOf(record))
      .matches('at least 2', (count) => count >= 2)
    // The line feed at the end of the last entry ends the last line.
    const lines = Buffer.from(agent.machine.ima.ascii()).toString().split('\n').length - 1
    check('VER-PULL-OFFSET', 'ima_ml_entry of each poll')
      .of(polls.map(({ query }) => Number(query['ima_ml_entry'] ?? 0)))
      .matches(`at most ${lines}`, (entries) => entries.every((entry) => entry <= lines))
  },
})
