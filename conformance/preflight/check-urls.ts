import { SetupFault } from '../input/fault.ts'
import { type Answer, isAccepted, isUnknownRoute, type Question, statusOf } from './ask.ts'
import { type DoctorCheck, type Examination, type Seen, urlOf } from './examination.ts'
import { adminQuestion, pullVersion, verifierQuestion } from './routes.ts'

type Likeness = 'verifier' | 'no verifier' | 'unclear'

/** A push verifier refuses a session request without members, so that such a refusal is an answer of a verifier too. */
function likenessOf({ method }: Question, answer: Answer): Likeness {
  const refusesForm = method === 'POST' && [400, 422].includes(statusOf(answer))
  if (isAccepted(answer) || refusesForm) return 'verifier'
  return isUnknownRoute(answer) ? 'no verifier' : 'unclear'
}

async function compareRoles(
  { target, ask }: Examination,
  urls: { readonly verifier: string; readonly registrar: string },
): Promise<Seen> {
  const look = async (url: string) => {
    const question = verifierQuestion(url, target.versions)
    return likenessOf(question, await ask(question))
  }
  const [verifier, registrar] = [await look(urls.verifier), await look(urls.registrar)]
  const version = pullVersion(target.versions) ?? '3.0'
  // Something that knows no route at all is no registrar either: it is to be judged as it stands.
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
  return { detail: 'the two do not answer so that they could be told apart' }
}

/** Registrar and verifier have not changed places; said only when the answers of both are clear. */
export const checkUrls: DoctorCheck = {
  name: 'urls',
  stage: 'identity',
  codes: ['D-URLS-SWAPPED'],
  looks: (at) => {
    const [verifier, registrar] = [urlOf(at, 'verifier'), urlOf(at, 'registrar')]
    if (verifier === undefined || registrar === undefined) return []
    return [
      { what: 'each url is its own role', look: () => compareRoles(at, { verifier, registrar }) },
    ]
  },
}
