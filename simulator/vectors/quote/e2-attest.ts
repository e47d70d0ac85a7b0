import { tpm2bPublic } from '../../machine/soft-attester.ts'
import { TPM_ST } from '../../tpm/constants.ts'
import { cat, filled, text, tpm2b, u8, u16, u64 } from '../../tpm/write.ts'
import type { JsonObject, Section, Variant } from '../form.ts'
import { recorded, recordedBytes, recordedEvidence } from '../recorded-quote.ts'
import { broken, either, PASSES, unreadable, variantsOf } from '../variant.ts'
import { attestBytes } from './attest-overrides.ts'
import { banks, soft } from './e2-baselines.ts'
import { clockVariants } from './e2-clock.ts'
import { selectionVariants } from './e2-selection.ts'
import { sizeVariants } from './e2-sizes.ts'
import { attested, base64, NONCE, quoteText, withBytes } from './soft-quote.ts'

const NAME = cat(u16(0x000b), filled(32, 0x5a))
const DIGEST = filled(32, 0xa5)

/** TPMA_OBJECT.restricted (Part 2, 8.3). */
const TPMA_RESTRICTED = 0x00010000

/** The baseline's key without the restricted attribute, so it may sign any structure. */
function unrestricted(): JsonObject {
  const { area } = soft.attester
  const objectAttributes = area.objectAttributes & ~TPMA_RESTRICTED
  return { attestation_key: base64(tpm2bPublic({ ...area, objectAttributes })) }
}

/** Case 9: a structure without TPM_GENERATED_VALUE was not made by a TPM, regardless of its signature. */
function magics(): readonly Variant[] {
  const make = variantsOf('e2', 9, 'soft')
  const magic = (value: number) => attested(soft, { magic: value })
  const ending = broken('quote.magic')
  return [
    make('magic-zero', 'The structure begins with four zero bytes', magic(0), ending),
    make('magic-near', 'The last byte of the magic is one too small', magic(0xff544346), ending),
    make('magic-swapped', 'The magic is in little-endian order', magic(0x475443ff), ending),
    make(
      'magic-zero-unrestricted',
      'The structure begins with four zero bytes, and the key that signed it is not restricted',
      { ...magic(0), ...unrestricted() },
      { outcome: 'broken_evidence_chain', checks: ['quote.key-attributes', 'quote.magic'] },
    ),
    // The client that submits the evidence chooses the trusted key, and its purpose.
    make(
      'key-unrestricted',
      'The key that signed is not restricted, and could have signed anything that claims the magic',
      unrestricted(),
      either('quote.key-attributes'),
    ),
  ]
}

/** Cases 10 and 11 with real data: other attestations of the recorded machine, signed by the same key. */
function recordedTypes(): readonly Variant[] {
  const boot = recordedBytes('rsassa_sha256_10')
  const other = (name: string) => ({
    quote: quoteText({
      ...boot,
      message: recorded(`${name}.attest`),
      signature: recorded(`${name}.sig`),
    }),
  })
  return [
    variantsOf('e2', 10, 'boot')(
      'time',
      'A recorded TIME attestation by the same key over the same nonce takes the place of the quote',
      other('gettime'),
      broken('quote.type'),
    ),
    variantsOf('e2', 11, 'boot')(
      'certify-recorded',
      'A recorded CERTIFY attestation by the same key takes the place of the quote',
      other('certify'),
      broken('quote.type', 'quote.nonce'),
    ),
  ]
}

/** Case 11: every other attestation type, over the right nonce. */
function types(): readonly Variant[] {
  const make = variantsOf('e2', 11, 'soft')
  const bodies: readonly [string, number, Uint8Array][] = [
    ['certify', TPM_ST.ATTEST_CERTIFY, cat(tpm2b(NAME), tpm2b(NAME))],
    ['nv', TPM_ST.ATTEST_NV, cat(tpm2b(NAME), u16(0), tpm2b(DIGEST))],
    ['creation', TPM_ST.ATTEST_CREATION, cat(tpm2b(NAME), tpm2b(DIGEST))],
    [
      'command-audit',
      TPM_ST.ATTEST_COMMAND_AUDIT,
      cat(u64(5n), u16(0x000b), tpm2b(DIGEST), tpm2b(DIGEST)),
    ],
    ['session-audit', TPM_ST.ATTEST_SESSION_AUDIT, cat(u8(1), tpm2b(DIGEST))],
    ['nv-digest', TPM_ST.ATTEST_NV_DIGEST, cat(tpm2b(NAME), tpm2b(DIGEST))],
  ]
  return [
    ...bodies.map(([slug, type, body]) =>
      make(
        slug,
        `A ${slug} attestation over the nonce takes the place of the quote`,
        attested(soft, { type, attested: body }),
        broken('quote.type'),
      ),
    ),
    make(
      'type-unknown',
      'The type is not a type of attestations',
      attested(soft, { type: 0x8013 }),
      unreadable('quote.structure'),
    ),
    make(
      'type-swapped',
      'The type is in little-endian order',
      attested(soft, { type: 0x1880 }),
      unreadable('quote.structure'),
    ),
  ]
}

/** Case 13: a quote without a nonce. */
function emptyNonces(): readonly Variant[] {
  return [
    variantsOf('e2', 13, 'boot')(
      'recorded',
      'A recorded quote of the same key and PCR that was asked for without a nonce',
      { quote: quoteText(recordedBytes('noqual')) },
      broken('quote.nonce'),
    ),
    variantsOf('e2', 13, 'soft')(
      'empty',
      'The qualifying data is empty',
      attested(soft, { extraData: filled(0) }),
      broken('quote.nonce'),
    ),
  ]
}

/** Case 14: qualifying data that resembles the nonce. */
function nearNonces(): readonly Variant[] {
  const make = variantsOf('e2', 14, 'soft')
  const over = (
    slug: string,
    what: string,
    extraData: Uint8Array,
    ending = broken('quote.nonce'),
  ) => make(slug, `The qualifying data is ${what}`, attested(soft, { extraData }), ending)
  const nonce = text(NONCE)
  return [
    over('in-hex', 'the nonce in hexadecimal', text(Buffer.from(nonce).toString('hex'))),
    over('with-nul', 'the nonce and a NUL', cat(nonce, u8(0))),
    over('in-base64', 'the base64 of the nonce', text(Buffer.from(nonce).toString('base64'))),
    over('prefix', 'the nonce without its last character', nonce.subarray(0, -1)),
    over('upper-case', 'the nonce in upper case', text(NONCE.toUpperCase())),
    over('previous', 'the nonce of an earlier request', text('e4Rl1erN0nceOfThe8ame')),
    over('of-another-agent', 'the nonce of another agent', text('0th3rAg3ntsN0nce7777')),
    over('of-a-session', 'the challenge of a session: 32 bytes', filled(32, 0xc4)),
    over(
      'decoded',
      'the bytes that the nonce is the base64 of',
      new Uint8Array(Buffer.from(NONCE, 'base64')),
      // Some verifiers accept either reading of the nonce, and both are bound to the request.
      { outcome: 'either' },
    ),
  ]
}

/** Case 15: lengths of qualifying data. */
function nonceLengths(): readonly Variant[] {
  const make = variantsOf('e2', 15, 'soft')
  const padded = (length: number) =>
    make(
      `padded-to-${length}`,
      `The qualifying data is the nonce and zeros, ${length} bytes in all`,
      attested(soft, { extraData: cat(text(NONCE), filled(length - NONCE.length)) }),
      length > 66 ? unreadable('quote.structure') : broken('quote.nonce'),
    )
  const long = (length: number) => {
    const nonce = 'n'.repeat(length)
    return make(
      `nonce-of-${length}`,
      `The nonce that is stated and quoted has ${length} characters`,
      { nonce, ...attested(soft, { extraData: text(nonce) }) },
      either(),
    )
  }
  return [...[64, 65, 66, 67].map(padded), ...[15, 16, 32, 64].map(long)]
}

/** Case 16: the qualified signer is opaque, and may hold any bytes. */
function signers(): readonly Variant[] {
  const make = variantsOf('e2', 16, 'soft')
  const signer = (slug: string, what: string, qualifiedSigner: Uint8Array, ending = PASSES) =>
    make(slug, `The qualified signer ${what}`, attested(soft, { qualifiedSigner }), ending)
  return [
    signer(
      'holds-a-size',
      'contains the bytes 00 24, which look like the size of a name',
      cat(u16(0x000b), filled(15, 0x11), u16(0x0024), filled(15, 0x22)),
    ),
    ...[22, 34, 50, 66].map((length) =>
      signer(`of-${length}`, `has ${length} bytes`, cat(u16(0x000b), filled(length - 2, 0x33))),
    ),
    signer('empty', 'is empty', filled(0), either()),
    signer(
      'of-67',
      'has 67 bytes, more than any name',
      filled(67, 1),
      unreadable('quote.structure'),
    ),
  ]
}

/** Case 18: bytes that follow the structure. */
function trailing(): readonly Variant[] {
  const make = variantsOf('e2', 18, 'soft')
  return [1, 2, 700].flatMap((count) => [
    make(
      `trailing-${count}-signed`,
      `${count} more byte(s) follow the structure and are signed with it`,
      attested(soft, { trailing: filled(count) }),
      unreadable('quote.structure'),
    ),
    make(
      `trailing-${count}-unsigned`,
      `${count} more byte(s) follow the structure and the signature does not cover them`,
      withBytes(soft, { message: cat(attestBytes(soft.attest), filled(count)) }),
      unreadable('quote.structure', 'quote.signature'),
    ),
  ])
}

/** Section E.2: defects of a TPMS_ATTEST. */
export function attestSection(): Section {
  return {
    section: 'E.2',
    baselines: {
      soft: soft.evidence,
      banks: banks.evidence,
      boot: recordedEvidence('rsassa_sha256_10', 'ak_rsa', 'sha256'),
      multibank: recordedEvidence('rsassa_multibank', 'ak_rsa', 'sha256'),
    },
    variants: [
      ...magics(),
      ...recordedTypes(),
      ...types(),
      ...emptyNonces(),
      ...nearNonces(),
      ...nonceLengths(),
      ...signers(),
      ...sizeVariants(),
      ...trailing(),
      ...clockVariants(),
      ...selectionVariants(),
    ],
  }
}
