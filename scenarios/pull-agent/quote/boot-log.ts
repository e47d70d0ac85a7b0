import { type Reply, results, scenario } from '../../../conformance/scenario.ts'
import { freshNonce } from '../support/engine.ts'
import { bootLogOf } from '../support/machine-logs.ts'

export default scenario({
  id: 'pull-agent.quote.boot-log',
  title: 'A pull agent returns the whole firmware log in base64 if PCR 0 is in the mask',
  requirements: [
    'AGT-INTEGRITY-BOOT-LOG-BASE64',
    'AGT-INTEGRITY-NO-BOOT-LOG',
    'AGT-INTEGRITY-LOG-NAMES',
  ],
  role: 'pull_agent',
  needs: ['uefi_log'],
  since: '2.1',
  until: '2.5',
  async run({ pullAgents, random, check }) {
    const agent = await pullAgents.shared()
    const ask = (mask: string, ima_ml_entry?: number) =>
      agent.integrity({ nonce: freshNonce(random), mask, partial: '1', ima_ml_entry })
    const logIn = (reply: Reply) => results(reply, 'mb_measurement_list')
    const expected = bootLogOf(agent.machine)
    const log = logIn(await ask('0x1'))
    check('AGT-INTEGRITY-BOOT-LOG-BASE64', 'the log is that of the machine, in base64')
      .of(log === expected)
      .is(true)
    check('AGT-INTEGRITY-BOOT-LOG-BASE64', 'whether it is there with a later part of the list')
      .of(logIn(await ask('0x401', 1)) === expected)
      .is(true)
    check('AGT-INTEGRITY-LOG-NAMES', 'the form of the log')
      .of(log)
      .meets({
        base64: (text) => text === expected,
        raw: (text) => Buffer.from(String(text), 'latin1').toString('base64') === expected,
      })
    const without = await ask('0x2')
    check('AGT-INTEGRITY-NO-BOOT-LOG', 'whether PCR 1 alone is quoted')
      .of(typeof results(without, 'quote'))
      .is('string')
    check('AGT-INTEGRITY-NO-BOOT-LOG', 'the log without PCR 0').of(logIn(without)).is(undefined)
  },
})
