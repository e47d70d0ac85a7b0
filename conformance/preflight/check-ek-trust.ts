import { randomUUID } from 'node:crypto'
import { SetupFault } from '../input/fault.ts'
import { type Answer, isAccepted, presentAnswer, type Question, statusOf } from './ask.ts'
import {
  type DoctorCheck,
  type Examination,
  type StepResult,
  type TrialMachine,
  urlOf,
} from './examination.ts'
import { pullVersion } from './routes.ts'

interface Registration {
  readonly register: Question
  readonly remove: Question
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** The requests that register and delete a new agent; the id is in the path up to 2.5 and in the body in 3.0. */
function registrationAt(
  url: string,
  version: string,
  { ek, ak }: TrialMachine,
  withCertificate: boolean,
): Registration {
  const id = randomUUID()
  const keys = {
    ...(withCertificate ? { ekcert: base64(ek.certificate) } : {}),
    ek_tpm: base64(ek.public),
    aik_tpm: base64(ak.public),
    mtls_cert: 'disabled',
    ip: '127.0.0.1',
    port: '9002',
  }
  const agents = `${url}/v${version}/agents`
  const register =
    version === '3.0'
      ? { url: `${agents}/`, body: { agent_id: id, ...keys } }
      : { url: `${agents}/${id}`, body: keys }
  return {
    register: { method: 'POST', as: 'anonymous', ...register },
    remove: { method: 'DELETE', as: 'admin', url: `${agents}/${id}` },
  }
}

function isRefused(answer: Answer): boolean {
  const status = statusOf(answer)
  return status >= 400 && status < 500
}

async function tryRegistration(
  { ask }: Examination,
  { register, remove }: Registration,
): Promise<Answer> {
  const answer = await ask(register)
  // Unless the registrar clearly refused, an agent may exist.
  if (!isRefused(answer)) await ask(remove)
  return answer
}

async function tryCertificate(
  at: Examination,
  url: string,
  machine: TrialMachine,
): Promise<StepResult> {
  const { target } = at
  const version = pullVersion(target.versions) ?? '3.0'
  const shown = await tryRegistration(at, registrationAt(url, version, machine, true))
  if (isAccepted(shown)) return { detail: 'a virtual TPM with its EK certificate is registered' }
  const without = await tryRegistration(at, registrationAt(url, version, machine, false))
  const next = `let the registrar trust \${ek_ca}, by ek_trust: { install: [...] } in ${target.file}`
  const untrusted = { code: 'D-EK-TRUST', next } as const
  if (isAccepted(without)) {
    const answered = presentAnswer(shown)
    const sentence = `the registrar ${answered} to a virtual TPM with its EK certificate, and accepts the same TPM without one`
    throw new SetupFault(sentence, untrusted)
  }
  const detail = `the registrar ${presentAnswer(shown)} with the EK certificate and ${presentAnswer(without)} without it`
  return { detail, warning: untrusted }
}

async function tryMachine(
  at: Examination,
  url: string,
  start: () => Promise<TrialMachine>,
): Promise<StepResult> {
  let machine: TrialMachine
  try {
    machine = await start()
  } catch (error) {
    const next = 'install swtpm, and check that it can be run'
    const detail = `no virtual TPM could be made: ${Object(error).message}`
    return { detail, warning: { code: 'D-EK-TRUST', next } }
  }
  try {
    return await tryCertificate(at, url, machine)
  } finally {
    await machine.close()
  }
}

/**
 * The registrar accepts a registration with an EK certificate of the virtual TPMs, unless the target file says that
 * it does not check them. The agent is deleted afterwards.
 */
export const checkEkTrust: DoctorCheck = {
  name: 'ek-trust',
  stage: 'trial',
  codes: ['D-EK-TRUST'],
  steps: (at) => {
    const { startMachine, target } = at
    const url = urlOf(at, 'registrar')
    if (startMachine === undefined || url === undefined || target.ekTrust.kind === 'unchecked') {
      return []
    }
    return [{ what: 'EK certificates are trusted', run: () => tryMachine(at, url, startMachine) }]
  },
}
