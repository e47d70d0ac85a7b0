import { bodyParser, type Parse, within } from '../../../api/bodies/parse-body.ts'
import { fromBase64 } from '../../../bytes/base64.ts'
import {
  type EvidenceOffer,
  LogOffer,
  type Offer,
  QuoteOffer,
} from '../../shapes/attestation-shape.ts'
import { readable } from '../readable.ts'

const parseLogOffer = bodyParser(LogOffer, 'invalid_resource_data')
const parseQuoteShape = bodyParser(QuoteOffer, 'invalid_resource_data')

const PARSERS: Readonly<Record<Offer['evidence_type'], Parse<EvidenceOffer>>> = {
  tpm_quote: parseQuoteOffer,
  ima_log: parseLogOffer,
  uefi_log: parseLogOffer,
}

/** Reads each offer by its own type, so that a refusal points at the member which is wrong in it. */
export function parseOffers(offers: readonly Offer[]): readonly EvidenceOffer[] {
  return offers.map((offer, at) =>
    within(`/data/attributes/evidence_supported/${at}`, () => PARSERS[offer.evidence_type](offer)),
  )
}

/** An offered public key is base64 of either structure (ambiguity PUBENC). */
function parseQuoteOffer(body: unknown): QuoteOffer {
  const offer = parseQuoteShape(body)
  for (const [at, key] of offer.capabilities.certification_keys.entries()) {
    const { public: shown } = key
    if (shown === undefined) continue
    within(`/capabilities/certification_keys/${at}`, () =>
      readable('public', () => fromBase64(shown, 'public')),
    )
  }
  return offer
}
