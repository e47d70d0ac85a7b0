import { results, scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

const FIRMWARE_BIT = 1

export default scenario({
  id: 'verifier.polling.boot-log',
  title:
    'The verifier requests PCR 0 from a pull agent with a boot policy, and passes its boot log',
  requirements: ['VER-PULL-PCR0', 'VER-CHECKS-BOOT', 'VER-ADD-BOOT', 'VER-STATUS-HAS-BOOT'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode', 'ima_log', 'uefi_log'],
  async run({ machines, check }) {
    const machine = await machines.boot()
    const agent = await machines.pullAgent({ machine, measuredBoot: true })
    const [first] = await agent.polled(1)
    check('VER-PULL-PCR0', 'mask')
      .of(first?.query['mask'])
      .matches('a hexadecimal number with PCR 0', (mask) => (Number(mask) & FIRMWARE_BIT) === 1)
    const record = await agent.recordOnce((one) => countOf(one) >= 1)
    for (const requirement of ['VER-CHECKS-BOOT', 'VER-ADD-BOOT'])
      check(requirement, 'attestation_count')
        .of(countOf(record))
        .matches('at least 1', (count) => count >= 1)
    check('VER-STATUS-HAS-BOOT', 'has_mb_refstate').of(results(record, 'has_mb_refstate')).is(1)
  },
})
