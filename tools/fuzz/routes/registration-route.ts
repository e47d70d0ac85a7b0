import type { RegistrarClient } from '../../../conformance/client/registrar-client.ts'
import { applyAt, mutationSteps } from '../encode.ts'
import { type AnswerKind, answerOf } from '../findings/answer.ts'
import { smallerMembers } from '../findings/smaller.ts'
import type { RegistrationKind } from '../kinds.ts'
import type { FuzzSession } from '../session.ts'
import type { Members, Recipe } from '../stages.ts'
import { certificateWay } from './certificate-way.ts'
import { keyWay } from './key-way.ts'
import type { RegistrationWay } from './registration-way.ts'
import type { FuzzInput, Route } from './route.ts'

/** Answers after which no agent is left behind; after any other answer, or none, the agent may be registered. */
const NOT_TAKEN: ReadonlySet<AnswerKind> = new Set(['refused', 'busy'])
/** So many ids are kept until they are deleted again. */
const KEPT = 50

/** What is mutated, by kind. */
const WAYS: Readonly<
  Record<
    RegistrationKind,
    (session: FuzzSession, registrar: RegistrarClient) => Promise<RegistrationWay>
  >
> = { ekcert: certificateWay, registration: keyWay }

function membersOfBody(body: string): Members {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Deletes what was registered, now and then, so that a long campaign leaves no heap. */
function register(session: FuzzSession, registrar: RegistrarClient) {
  const made = new Set<string>()
  const sweep = async (): Promise<void> => {
    for (const id of [...made]) {
      await registrar.delete(id, session.admin)
      made.delete(id)
    }
  }
  session.cleanUp(sweep)
  return {
    /** Called before the request is sent: an interrupted request may still register the agent. */
    async begin(id: string): Promise<void> {
      if (made.size >= KEPT) await sweep()
      made.add(id)
    },
    forget: (id: string) => made.delete(id),
  }
}

/** Registration under one version: a software key with an EK certificate of the run's own manufacturer. */
export async function registrationRoute(
  session: FuzzSession,
  version: string,
  kind: RegistrationKind,
): Promise<Route> {
  const registrar = session.registrarOf(version)
  const way = await WAYS[kind](session, registrar)
  const registered = register(session, registrar)
  const idInBody = version === '3.0'
  const withBody = (recipe: Recipe, body: string): FuzzInput => ({
    ...{ recipe, body },
    says: () => way.says(membersOfBody(body)),
  })
  return {
    name: `register ${version}`,
    mutations: way.mutations,
    share: 4,
    withBody,
    async prepare(recipe) {
      const steps = mutationSteps(recipe, way.mutations)
      const members = applyAt('members', await way.members(steps), steps)
      return withBody(recipe, applyAt('body', JSON.stringify(members), steps))
    },
    async send({ body }) {
      const id = session.ownId()
      await registered.begin(id)
      const named = idInBody ? body.replace('{', `{"agent_id":"${id}",`) : body
      const reply = await registrar.call('register', {
        ...{ params: { agent_id: id }, body: named.replace(',}', '}') },
        defect: 'a mutant of a fuzzer',
      })
      const answer = answerOf(reply, way.verdict)
      if (NOT_TAKEN.has(answer.kind)) registered.forget(id)
      return answer
    },
    *smaller(body) {
      for (const members of smallerMembers(membersOfBody(body))) yield JSON.stringify(members)
    },
  }
}
