import { parameter } from '../../../api/call.ts'
import { fromBase64 } from '../../../bytes/base64.ts'
import { hashById } from '../../../tpm/algorithms.ts'
import { TPMS_ATTEST } from '../../../tpm/attest.ts'
import { decode } from '../../../tpm/codec.ts'
import { pcrsOf } from '../../../tpm/structures-common.ts'
import {
  type EvidenceItem,
  type QuoteParameters,
  quoteParameters,
} from '../../../verifier/push/selection/evidence-item.ts'
import type { EvidenceRequest } from '../../../verifier/shapes/attestation-shape.ts'
import { withOperations } from '../verifier/mutated-operations.ts'
import type { Mutant } from './list-minus-one.ts'

/** A verifier that accepts the bank of the quote in place of the chosen one. */
export const QUOTED_BANK_MUTANT: Mutant = {
  id: 'quoted-bank-taken',
  defect: 'a quote is read in its own bank, and the chosen bank is not checked',
  parts: withOperations(['submit-evidence'], (shipped, { store, clock }) => async (call) => {
    const latest = await store.attestations.latest(parameter(call, 'agent_id'))
    const quoted = quotedIn(call.body as EvidenceRequest)
    const items: readonly EvidenceItem[] = JSON.parse(latest?.evidence ?? '[]')
    if (!latest || !quoted || quoteParameters(items)?.hash_algorithm === quoted.hash_algorithm)
      return shipped(call)
    const evidence = JSON.stringify(items.map(choosing(quoted)))
    await store.attestations.advance(latest, 'awaiting_evidence', { evidence })
    const { afterwards: _, ...answer } = await shipped(call)
    await store.attestations.advance(latest, 'evaluating_evidence', {
      ...{ stage: 'verification_complete', evaluation: 'pass' },
      verification_completed_at: clock.now(),
    })
    return answer
  }),
}

type Chosen = Pick<QuoteParameters, 'hash_algorithm' | 'selected_subjects'>

function choosing(quoted: Chosen): (item: EvidenceItem) => EvidenceItem {
  return (item) => {
    if (item.evidence_type !== 'tpm_quote') return item
    return {
      ...item,
      chosen_parameters: { ...(item.chosen_parameters as QuoteParameters), ...quoted },
    }
  }
}

/** Bank and PCRs of the quote that a request brings. */
function quotedIn({ data }: EvidenceRequest): Chosen | undefined {
  const collected = data.attributes.evidence_collected
  const quote = collected.find(({ evidence_type }) => evidence_type === 'tpm_quote')
  const { message } = Object(quote?.data)
  const { attested } = decode(TPMS_ATTEST, fromBase64(String(message)))
  const [selected] = attested.kind === 'quote' ? attested.value.pcrSelect : []
  const bank = selected && hashById(selected.hash)?.name
  if (selected === undefined || bank === undefined) return undefined
  return { hash_algorithm: bank, selected_subjects: { [bank]: pcrsOf(selected.pcrSelect) } }
}
