import { eccAttester } from '../soft-attester.ts'
import { text } from '../tpm/write.ts'
import { bankValues } from './attest-knobs.ts'
import type { Section, Variant } from './form.ts'
import { recorded, recordedBytes, recordedEvidence } from './recorded-quote.ts'
import { attested, quoteText, softQuote } from './soft-quote.ts'

const soft = softQuote(eccAttester('adversarial'), [bankValues('sha256', [0, 10])])
const boot = recordedBytes('rsassa_sha256_10')

const QUOTE = 'quote_validation.quote_validation'
const MALFORMED = 'quote_validation.invalid_quote'

/** Case 9: what does not begin with TPM_GENERATED_VALUE was not made by a TPM, whoever signed it. */
function magics(): readonly Variant[] {
  const kinds: readonly [string, string, number][] = [
    ['e2-9-magic-zero', 'The structure begins with four zero bytes', 0],
    ['e2-9-magic-near', 'The last byte of the magic number is one too small', 0xff544346],
    ['e2-9-magic-swapped', 'The magic number stands in little-endian order', 0x475443ff],
  ]
  return kinds.map(([id, what, magic]) => ({
    case: 9,
    id,
    what,
    of: 'soft',
    change: attested(soft, { magic }),
    outcome: 'broken_evidence_chain',
    type: QUOTE,
    checks: ['quote.magic'],
  }))
}

/** Section E.2: what can be wrong with a TPMS_ATTEST. */
export function attestSection(): Section {
  return {
    section: 'E.2',
    goldens: {
      soft: soft.evidence,
      boot: recordedEvidence('rsassa_sha256_10', 'ak_rsa', 'sha256'),
    },
    variants: [
      ...magics(),
      {
        case: 10,
        id: 'e2-10-time',
        what: 'A TIME attestation by the same key over the same nonce stands in place of the quote',
        of: 'boot',
        change: {
          quote: quoteText({
            ...boot,
            message: recorded('gettime.attest'),
            signature: recorded('gettime.sig'),
          }),
        },
        outcome: 'broken_evidence_chain',
        type: QUOTE,
        checks: ['quote.type'],
      },
      {
        case: 14,
        id: 'e2-14-nonce-in-hex',
        what: 'The qualifying data is the nonce in hexadecimal text',
        of: 'soft',
        change: attested(soft, {
          extraData: text(Buffer.from(soft.attest.extraData).toString('hex')),
        }),
        outcome: 'broken_evidence_chain',
        type: QUOTE,
        checks: ['quote.nonce'],
      },
      {
        case: 17,
        id: 'e2-17-signer-size-65535',
        what: 'The size of qualifiedSigner is 65535, which is more than there is',
        of: 'soft',
        change: attested(soft, { qualifiedSignerSize: 0xffff }),
        outcome: 'malformed',
        type: MALFORMED,
      },
    ],
  }
}
