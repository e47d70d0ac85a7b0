import type { Job } from './exchange.ts'

/**
 * Characters, or bytes, of evidence that is evaluated where it arrives. A quote over all PCRs of a bank has 3,000. Measured:
 * such a quote takes 0.04 ms and 12,000 characters of a measurement list 0.5 ms; handing a task to a thread takes 0.25 ms.
 */
const MOST = 12_288

/**
 * Whether a task is small enough for the thread that handles requests: a quote without policies, whose expressions and
 * lists would take a time that its length does not bound.
 */
export function isSmall({ task, policy }: Job): boolean {
  if (policy !== undefined) return false
  switch (task.kind) {
    case 'identity':
      return task.quote.length <= MOST
    case 'stored':
      return task.bootPolicy === null && task.evidence.length <= MOST
    case 'sent': {
      const { evidence } = task
      return !evidence.runtime_policy && !evidence.mb_policy && lengthOf(evidence) <= MOST
    }
    case 'polled': {
      const { answer, bootPolicy, host, packed } = task
      const isPlain = packed === 'plain' && bootPolicy === null && host === undefined
      return isPlain && lengthOf(answer) <= MOST
    }
    case 'unread':
    case 'upload':
      return false
  }
}

function lengthOf(members: object): number {
  return Object.values(members).reduce(
    (sum, value) => (typeof value === 'string' ? sum + value.length : sum),
    0,
  )
}
