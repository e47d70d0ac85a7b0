import { isRefusal, isSuccess, scenario } from '../../../conformance/scenario.ts'
import { freshNonce, giveKeys, makeBootstrapKeys, proveKey } from '../support/engine.ts'
import { malformedAgentRequests, revealsNothing } from '../support/malformed-requests.ts'

export default scenario({
  id: 'pull-agent.malformed.requests',
  title: 'A pull agent rejects malformed requests and keeps its key',
  requirements: [
    'AGT-MALFORMED-REFUSED',
    'AGT-MALFORMED-HARMLESS',
    'AGT-ERROR-NO-SUCCESS',
    'AGT-ERROR-TELLS-NOTHING',
    'AGT-ERROR-BODY',
    'AGT-IDENTITY-NONCE-REQUIRED',
    'AGT-INTEGRITY-NONCE-REQUIRED',
    'AGT-INTEGRITY-NO-MASK',
    'AGT-INTEGRITY-PARTIAL-VALUES',
    'AGT-VKEY-UNDECRYPTABLE',
    'AGT-BODY-BOUNDED',
  ],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  variantOf: 'pull-agent.routes.ukey',
  async run({ pullAgents, random, check, observe }) {
    const agent = await pullAgents.shared()
    const keys = makeBootstrapKeys(agent)
    await giveKeys(agent, keys, random)
    for (const { says, requirement, operation, call, silent } of await malformedAgentRequests(
      agent,
      random,
    )) {
      const reply = await agent.call(operation, call) // the defect
      observe('MALFORMED', `${operation} with ${says}`, reply.status)
      if (silent) {
        check(requirement, says)
          .of(isSuccess(reply) || isRefusal(reply))
          .is(true)
        continue
      }
      check(requirement, `${operation} with ${says}`).of(reply).matches('a 4xx status', isRefusal)
      check('AGT-ERROR-NO-SUCCESS', `\`code\` for ${says}`).of(codeOf(reply.body)).isNot(200)
      check('AGT-ERROR-TELLS-NOTHING', `the error for ${says}`)
        .of(reply.text)
        .matches('no stack, source line or path', revealsNothing)
      check('AGT-ERROR-BODY', `\`code\` for ${says}`)
        .of(codeOf(reply.body))
        .meets({
          'the envelope': (code) => code === reply.status,
          'another body': (code) => code === undefined,
        })
    }
    const { derived } = await proveKey(agent, keys, freshNonce(random))
    check('AGT-MALFORMED-HARMLESS', 'K as before').of(derived).is(true)
  },
})

const codeOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
