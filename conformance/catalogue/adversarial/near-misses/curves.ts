import { eccAttester } from '../../../../simulator/machine/soft-attester.ts'
import { bankValues } from '../../../../simulator/vectors/quote/attest-overrides.ts'
import type { NearMiss, NearMissGroup } from './near-miss.ts'
import { boundTo, quote } from './quotes.ts'

const CURVES = [
  ['P-384', 'sha384'],
  ['P-521', 'sha512'],
  // A hash may be shorter than the order of the curve (FIPS 186-5, 6.4.1).
  ['P-384', 'sha256'],
] as const

const ROWS: readonly NearMiss[] = CURVES.flatMap(([curve, hash]) => {
  const attester = eccAttester('near misses on curves', curve)
  const stranger = eccAttester('another key on curves', curve)
  const good = {
    ...{ banks: [bankValues(hash, [0, 8, 23])], hash, named: hash },
    ...{ signer: attester, key: boundTo(hash, attester) },
  }
  return [
    { sends: `a quote in ${hash} by a key on ${curve}`, evidence: () => quote(good) },
    {
      sends: `a quote by another key on ${curve}`,
      breaks: 'VER-EVIDENCE-OTHER-AK',
      evidence: () => quote({ ...good, signer: stranger }),
    },
    {
      sends: `a quote by a key on ${curve} that was changed after it was signed`,
      breaks: 'VER-EVIDENCE-SIGNATURE',
      evidence: () =>
        quote({ ...good, sent: (message) => message.with(-40, (message.at(-40) ?? 0) ^ 1) }),
    },
  ]
})

export const CURVE_KEYS: NearMissGroup = {
  id: 'curves',
  title: 'The verifier evaluates quotes by keys on P-384 and P-521',
  needs: ['ecc_keys'],
  rows: ROWS,
}
