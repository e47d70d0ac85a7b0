import { bodyParser, type Parse, within } from '../../api/parse-body.ts'
import { type EvidenceOffer, LogOffer, type Offer, QuoteOffer } from '../attestation-shape.ts'

const parseLogOffer = bodyParser(LogOffer, 'invalid_resource_data')

const PARSERS: Readonly<Record<Offer['evidence_type'], Parse<EvidenceOffer>>> = {
  tpm_quote: bodyParser(QuoteOffer, 'invalid_resource_data'),
  ima_log: parseLogOffer,
  uefi_log: parseLogOffer,
}

/** Reads each offer by its own type, so that a refusal points at the member which is wrong in it. */
export function parseOffers(offers: readonly Offer[]): readonly EvidenceOffer[] {
  return offers.map((offer, at) =>
    within(`/data/attributes/evidence_supported/${at}`, () => PARSERS[offer.evidence_type](offer)),
  )
}
