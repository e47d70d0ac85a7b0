import { SetupFault } from '../input/fault.ts'
import { untrustedFault } from '../target/deployment/deployment.ts'
import { probe } from '../target/deployment/probe.ts'
import type { Target, TargetRole } from '../target/target.ts'
import type { DoctorCheck, Examination, StepResult } from './examination.ts'

const ANSWER_MS = 5000

function silentFault(
  target: Target,
  { role, url, start }: TargetRole,
  code: string,
  why: string,
): SetupFault {
  const unreachable = { code: 'D-TLS-UNREACHABLE' } as const
  if (code === 'ECONNREFUSED' && start === undefined) {
    return new SetupFault(`nothing listens at ${url}`, {
      ...unreachable,
      next: `start the deployment, or add roles.${role}.start to ${target.file}`,
    })
  }
  return new SetupFault(`${role} does not answer at ${url}: ${why}`, {
    ...unreachable,
    next: `correct roles.${role}.url in ${target.file}, or read the log of the ${role}`,
  })
}

async function askRole(
  { target, deployment }: Examination,
  entry: TargetRole,
): Promise<StepResult> {
  const died = deployment.died()
  if (died !== undefined) {
    throw new SetupFault(died, { code: 'D-START-EXITED', next: `read ${target.run}/logs` })
  }
  const path = entry.start?.ready.path ?? '/version'
  const answer = await probe(`${entry.url}${path}`, { ca: target.tls.ca, timeoutMs: ANSWER_MS })
  if (answer.kind === 'untrusted') throw untrustedFault(entry, answer)
  if (answer.kind === 'silent') throw silentFault(target, entry, answer.code, answer.why)
  const { status, protocol, validTo } = answer
  const answered =
    status === undefined ? 'requires a certificate from every client' : `answers ${status}`
  return {
    detail: `${entry.url}${path} ${answered} over ${protocol}; server certificate valid to ${validTo}`,
  }
}

/** Each role answers over TLS, with a certificate for its name from the CA of the target file. */
export const checkAnswers: DoctorCheck = {
  name: 'answers',
  stage: 'connection',
  codes: [
    'D-TLS-UNREACHABLE',
    'D-TLS-PLAIN',
    'D-TLS-CA',
    'D-TLS-NAME',
    'D-TLS-HANDSHAKE',
    'D-CERT-EXPIRED',
    'D-CERT-EKU',
    'D-START-EXITED',
  ],
  steps: (at) =>
    at.target.roles.map((entry) => ({
      what: `${entry.role} answers`,
      run: () => askRole(at, entry),
    })),
}
