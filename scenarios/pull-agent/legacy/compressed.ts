import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { compareQuote, freshNonce, readQuote } from '../support/engine.ts'
import { agentOfVersion, inflateQuote } from '../support/legacy-agent.ts'

const ID = 'VRS-CHANGE-10-ZLIB'

export default scenario({
  id: 'pull-agent.legacy.compressed',
  title: 'A pull agent of API 1.0 compresses its quotes by zlib',
  requirements: [ID],
  role: 'pull_agent',
  since: '1.0',
  until: '1.0',
  async run(context) {
    const { random, check, notApplicable } = context
    const agent = await agentOfVersion(context)
    const query = { mask: '0x80', partial: '1' }
    for (const kind of ['identity', 'integrity'] as const) {
      const nonce = freshNonce(random)
      const reply = await agent.call(kind, {
        query: { nonce, ...(kind === 'integrity' && query) },
      })
      // The document does not say whether 1.0 is still served (ambiguity V10).
      if (!isSuccess(reply)) notApplicable(`the agent does not serve quotes/${kind} of API 1.0`)
      const quote = inflateQuote(String(results(reply, 'quote')))
      const isCompressed = check(ID, `whether \`quote\` of an ${kind} quote is compressed`)
        .of(quote !== undefined)
        .is(true)
      if (!isCompressed) continue
      const attestationKey = String(agent.registration.body['aik_tpm'])
      const known = { machine: agent.machine, attestationKey, nonce }
      const found = await compareQuote(readQuote(quote ?? ''), known)
      check(ID, `whether the registered key signed the ${kind} quote over the nonce`)
        .of([found.signed, found.nonce])
        .matches(
          'signed over the nonce',
          ([isSigned, form]) => isSigned === true && form !== 'another',
        )
    }
  },
})
