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
    next: 'look whether it runs, and whether registrar_ip and registrar_port are its place',
  },
  {
    on: ['untrusted'],
    next: 'look whether its certificate is of registrar_tls_ca_cert and for registrar_ip; who changes that file starts the agent again',
  },
]

const VERIFIER: readonly Remedy[] = [
  {
    on: ['unreachable', 'timed_out'],
    next: 'look whether it runs, and whether verifier_url is its place',
  },
  {
    on: ['untrusted'],
    next: 'look whether its certificate is of verifier_tls_ca_cert and for the host of verifier_url; who changes that file starts the agent again',
  },
  {
    on: ['proof_failed', 'not_found'],
    next: 'an administrator has to add the agent there, with the key that it registered, as tenant -c add --push-model does',
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
