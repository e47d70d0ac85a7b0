import { at } from '../../../conformance/attempt/reply.ts'
import { verifyEvidenceRequest } from '../../../conformance/client/agents/third-party-evidence.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import type { Dialect } from '../../../conformance/dialects/dialect.ts'
import { type Bend, bendsOf, encodeEvidence, mutateAt } from '../encode.ts'
import { answerOf, validOf } from '../findings/answer.ts'
import { smallerMembers } from '../findings/smaller.ts'
import { contradictionsOfMembers } from '../oracle/contradictions.ts'
import type { Members, Mutation, Recipe, Story } from '../stages.ts'
import type { Route, Shot } from './route.ts'

/** The body of verify/evidence in the form of the dialect, as JSON text. */
function bodyOf(members: Members, dialect: Dialect): string {
  return JSON.stringify(verifyEvidenceRequest(members, dialect))
}

/** The members of a body by the document's names, none when it is no JSON object. */
function membersOfBody(body: string, dialect: Dialect): Members {
  try {
    const value: unknown = JSON.parse(body)
    const members = dialect['verify-evidence-body'] === 'flat' ? value : at(value, 'data')
    return typeof members === 'object' && members !== null ? named({ ...members }, dialect) : {}
  } catch {
    return {}
  }
}

function named(members: Members, dialect: Dialect): Members {
  const { [dialect['boot-log-name']]: mb_list, ...rest } = members
  return { ...rest, ...(mb_list !== undefined && { mb_list }) }
}

/**
 * A log that only a lenient reader could make something of is known to be wrong by its mutation alone, and only while
 * nothing else was bent that might have put it right.
 */
function declared(shot: Shot, bends: readonly Bend[]): Shot {
  const [only, ...others] = bends
  const { breaks, what } = only?.mutation ?? {}
  const isLog = breaks === 'list-form' || breaks === 'boot-fault'
  if (!isLog || what === undefined || others.length > 0) return shot
  const seen = shot.says
  return {
    ...shot,
    says: () => (seen().length > 0 ? seen() : [{ id: breaks, says: what }]),
  }
}

/** POST verify/evidence: evidence of a machine that never was, signed anew after each bend. */
export function evidenceRoute(
  verifier: VerifierClient,
  golden: Story,
  mutations: readonly Mutation[],
): Route {
  const { dialect } = verifier
  const withBody = (recipe: Recipe, body: string): Shot => ({
    ...{ recipe, body },
    says: () => contradictionsOfMembers(membersOfBody(body, dialect)),
  })
  return {
    name: 'POST verify/evidence',
    mutations,
    share: 8,
    withBody,
    async aim(recipe) {
      const bends = bendsOf(recipe, mutations)
      const members = encodeEvidence(golden, bends)
      return declared(withBody(recipe, mutateAt('body', bodyOf(members, dialect), bends)), bends)
    },
    async fire({ body }) {
      const reply = await verifier.patiently(() =>
        verifier.call('verify-evidence', { body, defect: 'a mutant of a fuzzer' }),
      )
      return answerOf(reply, validOf)
    },
    *smaller(body) {
      for (const members of smallerMembers(membersOfBody(body, dialect)))
        yield bodyOf(members, dialect)
    },
  }
}
