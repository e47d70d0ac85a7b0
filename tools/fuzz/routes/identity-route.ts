import { enrolmentOf } from '../../../conformance/client/agents/enrolment.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import { baselineMachine } from '../baseline.ts'
import { encodeEvidence, mutationSteps } from '../encode.ts'
import { answerOf, validOf } from '../findings/answer.ts'
import { contradictionsOfMembers } from '../oracle/contradictions.ts'
import type { FuzzSession } from '../session.ts'
import type { Members, Mutation, Recipe } from '../stages.ts'
import type { FuzzInput, Route } from './route.ts'

/** What the query of verify/identity has room for: neither list nor policies. */
const ASKED = ['nonce', 'quote', 'hash_alg'] as const

/** What a query can say: texts. */
function isFit({ id, stage }: Mutation): boolean {
  return stage !== 'body' && !/-type$|\.type$|^quote\.large|^quote\.bomb/.test(id)
}

function queryOf(members: Members): string {
  const query = new URLSearchParams()
  for (const name of ASKED) if (members[name] !== undefined) query.set(name, String(members[name]))
  return query.toString()
}

/** GET verify/identity: the same quotes in a query, of an agent that the fuzzer enrols with its software key. */
export async function identityRoute(
  session: FuzzSession,
  verifier: VerifierClient,
  version: string,
  mutations: readonly Mutation[],
): Promise<Route> {
  const baseline = baselineMachine()
  const honest = encodeEvidence(baseline, [])
  const agentId = session.ownId()
  const machine = { ima: { entries: baseline.measured }, ak: { public: unbased(honest.tpm_ak) } }
  const enrolment = enrolmentOf(machine, {}, verifier.dialect)
  session.cleanUp(() => verifier.deleteAgent(agentId))
  expectSuccess('adding an agent', await verifier.addAgent(agentId, enrolment))
  const path = `/v${version}/verify/identity?agent_uuid=${agentId}&`
  const key = { tpm_ak: honest.tpm_ak }
  const withBody = (recipe: Recipe, body: string): FuzzInput => ({
    ...{ recipe, body },
    says: () =>
      contradictionsOfMembers({ ...Object.fromEntries(new URLSearchParams(body)), ...key }),
  })
  return {
    name: 'GET verify/identity',
    mutations: mutations.filter(isFit),
    share: 1,
    withBody,
    prepare: async (recipe) =>
      withBody(recipe, queryOf(encodeEvidence(baseline, mutationSteps(recipe, mutations)))),
    send: async ({ body }) => answerOf(await verifier.get(`${path}${body}`), validOf),
  }
}

function unbased(text: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(String(text), 'base64'))
}
