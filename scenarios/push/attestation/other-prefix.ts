import { at, isSuccess, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.attestation.other-prefix',
  title: 'The verifier serves the same attestations under /v3 and /v3.0',
  requirements: ['ATT-V30-PREFIX'],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    await agent.submit(negotiation)
    await agent.verdict(negotiation)
    const path = `/agents/${agent.id}/attestations`
    const ask = (prefix: string, rest: string) =>
      verifier.get(`${prefix}${path}${rest}`, { as: verifier.admin })
    for (const rest of ['', '/latest', `/${negotiation.index}`]) {
      const [short, long] = [await ask('/v3', rest), await ask('/v3.0', rest)]
      const both = [short, long].filter(isSuccess)
      observe('V3', `statuses of …/attestations${rest}`, [short.status, long.status])
      check('ATT-V30-PREFIX', `what …/attestations${rest} holds under the prefixes that have it`)
        .of(both.map(({ body }) => withoutLinks(at(body, 'data'))))
        .meets({
          'one prefix': ([one, ...others]) => one !== undefined && others.length === 0,
          'the same under both': ([one, other]) =>
            one !== undefined && JSON.stringify(one) === JSON.stringify(other),
        })
    }
  },
})

/** One resource, or a list of them; a link may name the prefix that was asked for. */
function withoutLinks(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutLinks)
  return typeof data === 'object' && data !== null ? { ...data, links: undefined } : data
}
