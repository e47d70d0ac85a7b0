import { SetupFault } from '../input/fault.ts'
import type { TargetRole } from '../target/target.ts'
import { presentAnswer, statusOf } from './ask.ts'
import type { DoctorCheck, Examination, StepResult } from './examination.ts'
import { adminQuestion, pullVersion } from './routes.ts'

const ALERT = /_ALERT_/
const CERTIFICATE_REQUIRED = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'

/** True if the route answers, or asks for a certificate, without ours: then the server rejects our certificate. */
async function answersWithout({ ask }: Examination, url: string): Promise<boolean> {
  const answer = await ask({ method: 'GET', url, as: 'anonymous' })
  return answer.kind === 'answered' || answer.code === CERTIFICATE_REQUIRED
}

async function showCertificate(at: Examination, { role, url }: TargetRole): Promise<StepResult> {
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
    const sentence = `${role} rejects the administrator's certificate: ${detail}`
    throw new SetupFault(sentence, refused)
  }
  const denied = [401, 403].includes(statusOf(answer))
  return denied ? { detail, warning: refused } : { detail }
}

/** TLS accepts the administrator's certificate. HTTP statuses are left to the scenarios. */
export const checkAdmin: DoctorCheck = {
  name: 'administrator',
  stage: 'identity',
  codes: ['D-CERT-REFUSED'],
  steps: (at) =>
    at.target.roles.map((entry) => ({
      what: `${entry.role} accepts the administrator's certificate`,
      run: () => showCertificate(at, entry),
    })),
}
