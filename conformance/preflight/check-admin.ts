import { SetupFault } from '../input/fault.ts'
import type { TargetRole } from '../target/target.ts'
import { presentAnswer, statusOf } from './ask.ts'
import type { DoctorCheck, Examination, Seen } from './examination.ts'
import { adminQuestion, pullVersion } from './routes.ts'

const ALERT = /_ALERT_/
const CERTIFICATE_REQUIRED = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'

/** True when the same route answers, or asks for a certificate, when none is shown: then it is ours that it will not have. */
async function answersWithout({ ask }: Examination, url: string): Promise<boolean> {
  const answer = await ask({ method: 'GET', url, as: 'anonymous' })
  return answer.kind === 'answered' || answer.code === CERTIFICATE_REQUIRED
}

async function showCertificate(at: Examination, { role, url }: TargetRole): Promise<Seen> {
  const { target, ask } = at
  const question = adminQuestion(role, url, pullVersion(target.versions) ?? '3.0')
  const answer = await ask(question)
  const detail = `${question.url} ${presentAnswer(answer)}`
  const next = `let ${role} trust the CA of tls.admin.certificate for clients, or name one that it trusts`
  const refused = { code: 'D-CERT-REFUSED', next } as const
  if (answer.kind === 'broken') {
    if (!ALERT.test(answer.code) && !(await answersWithout(at, question.url))) {
      return { detail, warning: refused }
    }
    const sentence = `${role} does not accept the administrator's certificate: ${detail}`
    throw new SetupFault(sentence, refused)
  }
  const denied = [401, 403].includes(statusOf(answer))
  return denied ? { detail, warning: refused } : { detail }
}

/** The administrator's certificate is not turned away by TLS; what HTTP says to it is for scenarios to judge. */
export const checkAdmin: DoctorCheck = {
  name: 'administrator',
  stage: 'identity',
  codes: ['D-CERT-REFUSED'],
  looks: (at) =>
    at.target.roles.map((entry) => ({
      what: `${entry.role} takes the administrator's certificate`,
      look: () => showCertificate(at, entry),
    })),
}
