import { attributes, isRefusal, scenario } from '../../../../conformance/scenario.ts'
import { BINARY_MISSES, LISTED_SHA1, REPLACED } from '../../support/binary-lists.ts'
import { LISTED, LISTED_DIGEST } from '../../support/continuations.ts'
import { BINARY_LIST, toHex } from '../../support/engine.ts'

const PASS = 'ATT-EVALUATION-PASS'

export default scenario({
  id: 'push.evidence.list.binary-near-misses',
  title: 'The verifier rejects a binary list with one entry that is not as the kernel writes it',
  requirements: [PASS, ...new Set(BINARY_MISSES.map(({ breaks }) => breaks))],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  variantOf: 'push.evidence.binary-list-accepted',
  async run({ machines, check, notApplicable }) {
    const listed = {
      [LISTED]: [LISTED_DIGEST, toHex(LISTED_SHA1)],
      [REPLACED]: [LISTED_DIGEST],
    }
    const boot = () =>
      machines.lightAgent({
        imaFormats: ['text/plain', BINARY_LIST],
        policy: (one) => ({ ...one, digests: { ...one.digests, ...listed } }),
      })
    const sound = await boot()
    await sound.machine.play(`measure ${LISTED}`)
    const first = await sound.negotiate()
    const list = first.requested.find(({ evidence_type }) => evidence_type === 'ima_log')
    if (list?.chosen_parameters.format !== BINARY_LIST)
      notApplicable('the subject prefers the text list')
    await sound.submit(first)
    check(PASS, 'evaluation of a binary list with a listed file')
      .of(attributes(await sound.verdict(first), 'evaluation'))
      .is('pass')
    for (const { says, entry, change, breaks } of BINARY_MISSES) {
      const agent = await boot()
      if (entry) await agent.machine.append(entry)
      const negotiation = await agent.negotiate()
      const reply = await agent.submit(negotiation, { ...change, says }) // the defect
      check(breaks, `outcome of a binary list with ${says}`)
        .of(
          isRefusal(reply) ? 'refused' : attributes(await agent.verdict(negotiation), 'evaluation'),
        )
        .isOneOf(['refused', 'fail'])
    }
  },
})
