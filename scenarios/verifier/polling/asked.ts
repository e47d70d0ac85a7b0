import { scenario } from '../../../conformance/scenario.ts'
import { checkNonces, checkPollParameters } from '../support/check-polls.ts'
import { countOf, OTHER_HOST } from '../support/engine.ts'

const NOTHING_EXTENDED = '0'.repeat(64)

export default scenario({
  id: 'verifier.polling.asked',
  title: 'The verifier polls a pull agent at the interval, in the form of the document',
  requirements: [
    ...['VER-POLLS', 'VER-PULL-CLIENT-CERTIFICATE', 'VER-PULL-FRESH-NONCE', 'VER-PULL-NONCE-FORM'],
    ...['VER-PULL-MASK', 'VER-PULL-PCR10', 'VER-PULL-PARTIAL', 'VER-PULL-NO-VMASK'],
    ...['VER-PULL-ENTRY', 'VER-ADD-IP', 'VER-ADD-MTLS-CERT', 'VER-ADD-AK', 'VER-ADD-TPM-POLICY'],
    ...['VER-STATUS-COUNT-GROWS', 'VER-ADD-SUPPORTED-VERSION', 'VER-PULL-VERSION-SOURCE'],
  ],
  role: 'verifier',
  provesFunction: true,
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  async run({ machines, check, quoteIntervalMs }) {
    const machine = await machines.boot()
    const agent = await machines.pullAgent({ machine, staticPcrs: { 23: [NOTHING_EXTENDED] } })
    const polls = await agent.polled(3)
    checkPollParameters(check, agent, polls, [23])
    check('VER-PULL-CLIENT-CERTIFICATE', 'whether each presented a certificate of the CA')
      .of(polls.map(({ authorized }) => authorized))
      .is(polls.map(() => true))
    // A late poll is close to the next one, so only the number of polls in the whole time counts.
    const lasted = (polls.at(-1)?.at ?? 0) - (polls[0]?.at ?? 0)
    const least = (polls.length - 1) * (quoteIntervalMs / 2)
    check('VER-POLLS', `milliseconds from the first of ${polls.length} polls to the last`)
      .measured(lasted)
      .matches(`at least ${least}`, (ms) => ms >= least)
    check('VER-ADD-IP', 'polls that came')
      .of(polls.length)
      .matches('3', (count) => count >= 3)
    const record = await agent.recordOnce((one) => countOf(one) >= 2)
    for (const requirement of ['VER-STATUS-COUNT-GROWS', 'VER-ADD-AK', 'VER-ADD-MTLS-CERT'])
      check(requirement, 'attestation_count')
        .of(countOf(record))
        .matches('at least 2', (count) => count >= 2)
    check('VER-ADD-TPM-POLICY', 'attestation_count')
      .of(countOf(record))
      .matches('at least 2', (count) => count >= 2)
    const second = await machines.pullAgent({ host: OTHER_HOST })
    const [first] = await second.polled(1)
    check('VER-ADD-IP', 'whether an agent was polled that listens at another address')
      .of(first !== undefined)
      .is(true)
    checkNonces(check, [...polls, ...(first === undefined ? [] : [first])])
    check('VER-PULL-ENTRY', 'ima_ml_entry of the first poll of another agent')
      .of(Number(first?.query['ima_ml_entry'] ?? 0))
      .is(0)
    const versions = [...new Set(polls.map(({ version }) => version))]
    check('VER-ADD-SUPPORTED-VERSION', 'versions of the paths').of(versions).is(['2.5'])
    check('VER-PULL-VERSION-SOURCE', 'versions of the paths').of(versions).is(['2.5'])
  },
})
