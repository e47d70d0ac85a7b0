import { TPM_ALG, TPM_GENERATED_VALUE, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { bankOf, digest } from '../../../simulator/tpm/hash.ts'
import { writePcrBlob } from '../../../simulator/tpm/pcr-blob.ts'
import { keyObjectOf } from '../../../simulator/tpm/public.ts'
import { verifySignature } from '../../../simulator/tpm/signature.ts'
import { cat, equal } from '../../../simulator/tpm/write.ts'
import type { Members } from '../stages.ts'
import { aggregatesOf, BOOT_CONTRADICTIONS } from './boot-contradictions.ts'
import { type Claim, claimOf } from './claim.ts'
import type { Contradiction } from './contradiction.ts'
import type { ContradictionRow } from './contradiction-row.ts'
import { isPolicyDocument } from './documents.ts'
import { hasForeignFile, needsList, wantsOtherPcr, wantsUnquotedPcr } from './policies.ts'
import { isFalseBuffer, isListedViolation, liesAboutItsHash } from './read-list.ts'
import { banksOf, pcrValue, type Reading, readClaim, selectionText } from './reading.ts'
import { attests } from './registration.ts'

/** What the quote covers, when it is a quote. */
function quoted({ attest }: Reading) {
  return attest?.attested.kind === 'quote' ? attest.attested : undefined
}

function signs({ claim, key, signature }: Reading): boolean {
  if (key === undefined || signature === undefined) return true
  try {
    return verifySignature(claim.message, signature, keyObjectOf(key))
  } catch {
    return false
  }
}

function usesKeysScheme({ key, signature }: Reading): boolean {
  if (key === undefined || signature === undefined || signature.kind === 'opaque') return true
  const { alg, hash } = key.scheme
  return alg === TPM_ALG.NULL || (alg === signature.sigAlg && hash === signature.hash)
}

function digestFits(reading: Reading): boolean {
  const { blob, signature } = reading
  const signed = quoted(reading)
  const hash =
    signature === undefined || signature.kind === 'opaque' ? undefined : bankOf(signature.hash)
  if (signed === undefined || blob === undefined || hash === undefined) return true
  return equal(signed.pcrDigest, digest(hash, cat(...blob.values)))
}

/** One selection per bank, of PCRs that a PC has, written as long as PCs and servers write it. */
function isSelectionSound(reading: Reading): boolean {
  const selections = quoted(reading)?.pcrSelect
  if (selections === undefined) return true
  const banks = selections.map(({ hash }) => hash)
  return (
    banksOf(selections).length > 0 &&
    !banksOf(selections).includes(undefined) &&
    new Set(banks).size === banks.length &&
    selections.every(
      ({ sizeofSelect, pcrs }) =>
        sizeofSelect >= 3 && sizeofSelect <= 4 && pcrs.every((pcr) => pcr < 24),
    )
  )
}

function isSelectionShown(reading: Reading): boolean {
  const signed = quoted(reading)
  if (signed === undefined || reading.blob === undefined) return true
  return selectionText(signed.pcrSelect) === selectionText(reading.blob.selections)
}

function isBankQuoted(reading: Reading): boolean {
  const signed = quoted(reading)
  return (
    signed === undefined || banksOf(signed.pcrSelect).some((bank) => bank === reading.claim.hashAlg)
  )
}

/** The hash of the signature is the one that the request names; that of a signature without one is not spoken of. */
function isHashNamed({ claim, signature }: Reading): boolean {
  return signature === undefined || signature.kind === 'opaque'
    ? true
    : bankOf(signature.hash) === claim.hashAlg
}

/** Whether the blob is the image of structures whose unused parts are zeros, as tpm2-tools writes it. */
function isPadded({ claim, blob }: Reading): boolean {
  return blob === undefined || equal(claim.pcrs, writePcrBlob(blob.selections, blob.values))
}

function listPcrIsQuoted({ claim, blob }: Reading): boolean {
  const listed = claim.list !== undefined && claim.list.text.length > 0
  return !listed || blob === undefined || pcrValue(blob, 10, claim.hashAlg) !== undefined
}

function coveredEntries({ list }: Reading) {
  return list?.kind === 'quoted' ? list.entries : []
}

/** Ordered from the outside to the inside; a part that cannot be read is named once, by its own row. */
export const CONTRADICTIONS: readonly ContradictionRow[] = [
  {
    id: 'key-form',
    says: 'names a key that is no TPM2B_PUBLIC',
    holds: ({ key }) => key === undefined,
  },
  {
    id: 'key-attributes',
    says: 'is by a key that is no restricted signing key of a TPM',
    holds: ({ key }) => key !== undefined && !attests(key),
  },
  {
    id: 'attest-form',
    says: 'holds no whole TPMS_ATTEST',
    holds: ({ attest }) => attest === undefined,
  },
  {
    id: 'signature-form',
    says: 'holds no whole TPMT_SIGNATURE',
    holds: ({ signature }) => signature === undefined,
  },
  { id: 'pcrs-form', says: 'holds no whole PCR blob', holds: ({ blob }) => blob === undefined },
  {
    id: 'pcrs-padding',
    says: 'has a PCR blob with something in its unused parts',
    holds: (reading) => !isPadded(reading),
  },
  {
    id: 'magic',
    says: 'was not made by a TPM',
    holds: ({ attest }) => attest !== undefined && attest.magic !== TPM_GENERATED_VALUE,
  },
  {
    id: 'type',
    says: 'is another attestation than a quote',
    holds: ({ attest }) => attest !== undefined && attest.type !== TPM_ST.ATTEST_QUOTE,
  },
  {
    id: 'nonce',
    says: 'is over another nonce than the stated one',
    holds: ({ attest, claim }) =>
      attest !== undefined &&
      (attest.extraData.length === 0 || !claim.nonces.some((one) => equal(one, attest.extraData))),
  },
  { id: 'signature', says: 'is not signed by the stated key', holds: (reading) => !signs(reading) },
  {
    id: 'scheme',
    says: 'is signed otherwise than its key may sign',
    holds: (reading) => !usesKeysScheme(reading),
  },
  {
    id: 'selection',
    says: 'quotes a selection that no TPM can have been asked for',
    holds: (reading) => !isSelectionSound(reading),
  },
  {
    id: 'selection-shown',
    says: 'shows values of other PCRs than the quoted ones',
    holds: (reading) => !isSelectionShown(reading),
  },
  {
    id: 'hash-alg',
    says: 'states a hash_alg of which nothing is quoted',
    holds: (reading) => !isBankQuoted(reading),
  },
  {
    id: 'hash-signed',
    says: 'is signed with another hash than the stated hash_alg',
    holds: (reading) => !isHashNamed(reading),
  },
  {
    id: 'pcr-digest',
    says: 'shows PCR values that were not signed',
    holds: (reading) => !digestFits(reading),
  },
  {
    id: 'list-unquoted',
    says: 'has a measurement list without a quoted PCR 10',
    holds: (reading) => !listPcrIsQuoted(reading),
  },
  {
    id: 'list-replay',
    says: 'has a measurement list that does not give the quoted PCR 10',
    holds: ({ list }) => list?.kind === 'unquoted',
  },
  {
    id: 'list-hash',
    says: 'has an entry with the template hash of another',
    holds: (reading) => coveredEntries(reading).some(liesAboutItsHash),
  },
  {
    id: 'list-violation',
    says: 'shows a file that changed while it was measured',
    holds: (reading) => coveredEntries(reading).some(isListedViolation),
  },
  {
    id: 'list-buffer',
    says: 'shows a buffer with the digest of another',
    holds: (reading) => coveredEntries(reading).some(isFalseBuffer),
  },
  {
    id: 'list-missing',
    says: 'comes with a runtime policy and without a list',
    holds: ({ claim }) => claim.list === undefined && needsList(claim.runtimePolicy ?? '{}'),
  },
  {
    id: 'policy-form',
    says: 'comes with a policy that is no JSON object',
    holds: ({ claim }) =>
      ![claim.runtimePolicy, claim.tpmPolicy, claim.bootPolicy].every((one) =>
        isPolicyDocument(one ?? '{}'),
      ),
  },
  {
    id: 'policy-file',
    says: 'shows a file that the policy does not have',
    holds: (reading) =>
      hasForeignFile(
        reading.claim.runtimePolicy ?? '[]',
        coveredEntries(reading),
        aggregatesOf(reading),
      ),
  },
  {
    id: 'policy-mask',
    says: 'does not quote a PCR that the mask of its tpm_policy names',
    holds: ({ claim, blob }) =>
      blob !== undefined &&
      wantsUnquotedPcr(claim.tpmPolicy ?? '{}', (pcr) => pcrValue(blob, pcr, claim.hashAlg)),
  },
  {
    id: 'policy-pcr',
    says: 'shows another PCR value than tpm_policy wants',
    holds: ({ claim, blob }) =>
      blob !== undefined &&
      wantsOtherPcr(claim.tpmPolicy ?? '{}', (pcr) => pcrValue(blob, pcr, claim.hashAlg)),
  },
  ...BOOT_CONTRADICTIONS,
]

/** Everything that this evidence says and must not; empty when it may be taken. */
export function contradictionsOf(claim: Claim): readonly Contradiction[] {
  const reading = readClaim(claim)
  return CONTRADICTIONS.filter(({ holds }) => holds(reading)).map(({ id, says }) => ({ id, says }))
}

/** The same for the members of verify/evidence. */
export function contradictionsOfMembers(members: Members): readonly Contradiction[] {
  const claim = claimOf(members)
  if ('unreadable' in claim) return [{ id: 'request-form', says: `is none: ${claim.unreadable}` }]
  return contradictionsOf(claim)
}
