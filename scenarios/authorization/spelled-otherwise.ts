import { ANONYMOUS, isSuccess, scenario } from '../../conformance/scenario.ts'
import { bearer, type Credentials, withAuthorization } from './support/engine.ts'
import { REFUSALS, type Refusals, SPELLINGS } from './support/spellings.ts'

export default scenario({
  id: 'authorization.spelled-otherwise',
  title: 'The verifier refuses attestations to other clients under each spelling of their paths',
  requirements: Object.values(REFUSALS).flatMap(({ list, read, post }) => [list, read, post]),
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, random, check }) {
    const [agent, other] = [await machines.softAgent(), await machines.softAgent()]
    await agent.negotiate()
    const path = `/agents/${agent.id}/attestations`
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', body: agent.capabilities(), headers }
    const token = `${random.uuid()}.${Buffer.from(random.bytes(32)).toString('base64url')}`
    const clients: readonly (readonly [string, Credentials, Refusals])[] = [
      ['no credentials', ANONYMOUS, REFUSALS.anonymous],
      ['the token of another agent', other.credentials, REFUSALS.other],
      [
        'an unknown token and a certificate',
        withAuthorization(verifier.admin, bearer(token)),
        REFUSALS.unknown,
      ],
    ]
    for (const [says, spell] of SPELLINGS)
      for (const [who, as, { list, read, post }] of clients)
        for (const [row, target, more] of [
          [list, path, {}],
          [read, `${path}/latest`, {}],
          [read, `${path}/latest`, { method: 'HEAD' }],
          [post, path, request],
        ] as const)
          check(row, `the path ${says}, with ${who}`)
            .of(await verifier.get(spell(target), { ...more, as })) // the defect
            .matches('no success', (seen) => !isSuccess(seen))
  },
})
