import type { PushStep } from '../driver.ts'
import type { PushEventKind } from '../states.ts'

/** Advice for a failure that may not be transient. */
interface Remedy {
  readonly on: readonly PushEventKind[]
  readonly next: string
}

const REGISTRAR: readonly Remedy[] = [
  {
    on: ['unreachable', 'timed_out'],
    next: 'check that it runs, and that registrar_ip and registrar_port are its address',
  },
  {
    on: ['untrusted'],
    next: 'check that its certificate is issued by registrar_tls_ca_cert and valid for registrar_ip; restart the agent after a change of that file',
  },
]

const VERIFIER: readonly Remedy[] = [
  {
    on: ['unreachable', 'timed_out'],
    next: 'check that it runs, and that verifier_url is its address',
  },
  {
    on: ['untrusted'],
    next: 'check that its certificate is issued by verifier_tls_ca_cert and valid for the host of verifier_url; restart the agent after a change of that file',
  },
  {
    on: ['proof_failed', 'not_found'],
    next: 'an administrator has to add the agent there, with its registered key, as tenant -c add --push-model does',
  },
  {
    on: ['forbidden'],
    next: 'if another session does not help, an administrator has to reactivate the agent',
  },
]

/** The reason of a transition, with advice if waiting may not help; undefined if nothing failed. */
export function presentWhy({ from, event, why }: PushStep): string | undefined {
  if (why === undefined) return undefined
  const remedies = from === 'Unregistered' ? REGISTRAR : VERIFIER
  const next = remedies.find(({ on }) => on.includes(event))?.next
  return next === undefined ? why : `${why}; ${next}`
}
