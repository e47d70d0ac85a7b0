import type { Check } from '../../../conformance/attempt/check.ts'
import type { PullAgent } from '../../../conformance/client/agents/pull-agent.ts'
import { longestAlike, TEXTS_LITTLE_ALIKE } from '../../../conformance/steps/alike.ts'
import type { PullRequest } from '../../../simulator/agents/pull-request.ts'
import { pcrsOfMask } from '../../../simulator/agents/request-line.ts'

const NONCE = /^[A-Za-z0-9]{20}$/

/** Checks that each poll, of one agent or of several, has its own nonce of 20 random letters and digits. */
export function checkNonces(check: Check, polls: readonly PullRequest[]): void {
  const nonces = polls.map(({ query }) => query['nonce'])
  check('VER-PULL-NONCE-FORM', 'nonces')
    .of(nonces)
    .matches('20 letters and digits each', (all) => all.every((one) => NONCE.test(one ?? '')))
  check('VER-PULL-FRESH-NONCE', 'different nonces').of(new Set(nonces).size).is(polls.length)
  check('VER-PULL-FRESH-NONCE', 'equal characters in a row of two nonces: no counter, no time')
    .of(longestAlike(nonces.map((nonce) => Buffer.from(nonce ?? ''))))
    .matches(...TEXTS_LITTLE_ALIKE)
}

/** Requirements of {@link checkPollParameters}. */
const PRINTED = {
  pcr10: 'VER-PULL-PCR10',
  mask: 'VER-PULL-MASK',
  partial: 'VER-PULL-PARTIAL',
  vmask: 'VER-PULL-NO-VMASK',
  entry: 'VER-PULL-ENTRY',
} as const

/** Checks that the parameters of polls are those that the document prints. */
export function checkPollParameters(
  check: Check,
  { machine, measured }: PullAgent,
  polls: readonly PullRequest[],
  staticPcrs: readonly number[],
): void {
  const masks = polls.map(({ query }) => pcrsOfMask(query['mask'] ?? ''))
  const holds = (pcrs: readonly number[]) =>
    masks.every((mask) => pcrs.every((pcr) => mask.includes(pcr)))
  if (measured)
    check(PRINTED.pcr10, 'PCRs of the masks')
      .of(masks)
      .matches('10 in each', () => holds([10]))
  check(PRINTED.mask, 'PCRs of the masks')
    .of(masks)
    .matches(`${staticPcrs.join(', ')} in each`, () => holds(staticPcrs))
  const partial = polls.map(({ query }) => query['partial'])
  check(PRINTED.partial, 'partial')
    .of(partial)
    .matches('0 at first, then 0 or 1', ([first, ...rest]) => {
      return first === '0' && rest.every((one) => one === '0' || one === '1')
    })
  check(PRINTED.vmask, 'vmask')
    .of(polls.map(({ query }) => query['vmask']))
    .is(polls.map(() => undefined))
  const entries = polls.map(({ query }) => Number(query['ima_ml_entry'] ?? 0))
  check(PRINTED.entry, 'ima_ml_entry')
    .of(entries)
    .matches(`0 at first, and at most ${machine.ima.count}`, ([first, ...rest]) => {
      return first === 0 && rest.every((one) => one >= 0 && one <= machine.ima.count)
    })
}
