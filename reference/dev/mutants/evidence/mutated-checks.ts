import { equalBytes } from '../../../bytes/equal.ts'
import type { Check } from '../../../evidence/check.ts'
import { type CheckLists, defaultChecks } from '../../../evidence/evaluate.ts'
import type { Finding } from '../../../evidence/findings.ts'
import type { ImaEntryCase } from '../../../evidence/ima/entry-case.ts'
import type { QuoteCase } from '../../../evidence/quote/quote-case.ts'
import type { TpmPolicyPcrCase } from '../../../evidence/quote/tpm-policy.ts'
import type { Mutant } from './list-minus-one.ts'
import { withChecks } from './with-checks.ts'

type ListName = keyof CheckLists
type Case<Name extends ListName> =
  CheckLists[Name][number] extends Check<infer Subject> ? Subject : never

/** A check of one list that is skipped in some cases. */
function mutated<Name extends ListName>(
  id: string,
  defect: string,
  [list, check]: readonly [list: Name, check: string],
  looksAway: (subject: Case<Name>, found: Finding) => boolean,
): Mutant {
  const checks = defaultChecks[list] as readonly Check<Case<Name>>[]
  if (!checks.some((each) => each.id === check))
    throw new Error(`there is no check called ${check}`)
  const changed = checks.map((each) =>
    each.id === check ? { ...each, run: (subject: Case<Name>) => askUnless(each, subject) } : each,
  )
  const askUnless = (each: Check<Case<Name>>, subject: Case<Name>) => {
    const found = each.run(subject)
    return found && looksAway(subject, found) ? undefined : found
  }
  return { id, defect, parts: withChecks({ ...defaultChecks, [list]: changed }) }
}

function extraData({ attest }: QuoteCase): Uint8Array {
  return attest.value?.extraData ?? new Uint8Array()
}

function noncesOf({ expected: { nonce } }: QuoteCase): readonly Uint8Array[] {
  return nonce instanceof Uint8Array ? [nonce] : nonce
}

function says(found: Finding, text: string): boolean {
  return found.context.message.includes(text)
}

/** Whether the signed selection names the claimed PCR numbers, in any bank. */
function sameNumbers({ attest, claimed }: QuoteCase): boolean {
  const attested = attest.value?.attested
  if (attested?.kind !== 'quote' || !claimed.value) return false
  const bits = attested.value.pcrSelect.map(({ pcrSelect }) => pcrSelect.reduce(countBits, 0))
  const counts = claimed.value.map(({ values }) => values.size)
  return bits.join() === counts.join()
}

function countBits(count: number, byte: number): number {
  return count + byte.toString(2).replaceAll('0', '').length
}

function knownPath({ item, policy }: ImaEntryCase): boolean {
  return (
    item.kind === 'entry' &&
    'name' in item.content &&
    policy?.digests.has(item.content.name) === true
  )
}

/** Faults that were found in real verifiers, or wait to be made: one check that looks away. */
export const MUTATED_CHECKS: readonly Mutant[] = [
  mutated(
    'empty-nonce-taken',
    'a quote that answers no nonce at all is taken',
    ['quote', 'quote.nonce'],
    (subject) => extraData(subject).length === 0,
  ),
  mutated(
    'nonce-prefix-taken',
    'a quote over something that begins with the nonce is taken',
    ['quote', 'quote.nonce'],
    (subject) =>
      noncesOf(subject).some((nonce) =>
        equalBytes(extraData(subject).subarray(0, nonce.length), nonce),
      ),
  ),
  mutated(
    'nonce-start-is-enough',
    'a quote over the first bytes of the nonce is taken',
    ['quote', 'quote.nonce'],
    (subject) =>
      extraData(subject).length > 0 &&
      noncesOf(subject).some((nonce) =>
        equalBytes(nonce.subarray(0, extraData(subject).length), extraData(subject)),
      ),
  ),
  mutated(
    'selection-counted-only',
    'PCR values under another label than the signed one are taken',
    ['quote', 'quote.selection'],
    (subject, found) => says(found, 'the PCR data claims') && sameNumbers(subject),
  ),
  mutated(
    'signature-hash-not-compared',
    'a signature with another hash than the one agreed on is taken',
    ['quote', 'quote.algorithms'],
    (_, found) => says(found, 'the signature is'),
  ),
  mutated(
    'known-path-is-enough',
    'a file at a known path may have any content',
    ['imaEntry', 'ima.entry-policy'],
    knownPath,
  ),
  mutated(
    'pcr-value-start-is-enough',
    'a PCR value that begins like an allowed one is taken',
    ['tpmPolicyPcr', 'tpm-policy.value'],
    ({ allowed, value }: TpmPolicyPcrCase) =>
      allowed.some((each) =>
        Buffer.from(value ?? [])
          .toString('hex')
          .startsWith(each.slice(0, 2)),
      ),
  ),
]
