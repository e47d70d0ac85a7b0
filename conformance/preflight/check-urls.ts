import { SetupFault } from '../input/fault.ts'
import { type Answer, isAccepted, isUnknownRoute, type Question, statusOf } from './ask.ts'
import { type DoctorCheck, type Examination, type StepResult, urlOf } from './examination.ts'
import { adminQuestion, pullVersion, verifierQuestion } from './routes.ts'

type Likeness = 'verifier' | 'no verifier' | 'unclear'

/** A push verifier rejects a session request without members; that also identifies a verifier. */
function likenessOf({ method }: Question, answer: Answer): Likeness {
  const refusesForm = method === 'POST' && [400, 422].includes(statusOf(answer))
  if (isAccepted(answer) || refusesForm) return 'verifier'
  return isUnknownRoute(answer) ? 'no verifier' : 'unclear'
}

async function compareRoles(
  { target, ask }: Examination,
  urls: { readonly verifier: string; readonly registrar: string },
): Promise<StepResult> {
  const likeness = async (url: string) => {
    const question = verifierQuestion(url, target.versions)
    return likenessOf(question, await ask(question))
  }
  const [verifier, registrar] = [await likeness(urls.verifier), await likeness(urls.registrar)]
  const version = pullVersion(target.versions) ?? '3.0'
  // A server that answers like neither role is left to the scenarios.
  const lists = await ask(adminQuestion('registrar', urls.verifier, version))
  const swapped = registrar === 'verifier' && verifier === 'no verifier' && isAccepted(lists)
  if (swapped) {
    const sentence = `${urls.registrar} answers like a verifier, and ${urls.verifier} like a registrar`
    const next = `exchange roles.registrar.url and roles.verifier.url in ${target.file}`
    throw new SetupFault(sentence, { code: 'D-URLS-SWAPPED', next })
  }
  if (verifier === 'verifier' && registrar === 'no verifier') {
    return { detail: 'only the verifier answers like a verifier' }
  }
  return { detail: 'the answers do not show which role is which' }
}

/** The URLs of registrar and verifier are not exchanged; a fault only if the answers of both are clear. */
export const checkUrls: DoctorCheck = {
  name: 'urls',
  stage: 'identity',
  codes: ['D-URLS-SWAPPED'],
  steps: (at) => {
    const [verifier, registrar] = [urlOf(at, 'verifier'), urlOf(at, 'registrar')]
    if (verifier === undefined || registrar === undefined) return []
    return [
      {
        what: 'each url belongs to its role',
        run: () => compareRoles(at, { verifier, registrar }),
      },
    ]
  },
}
