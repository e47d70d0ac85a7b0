import { type Decoded, struct, tpm2b, u16, u32, u64, unionBy, yesNo } from './codec.ts'
import {
  TPM2B_DATA,
  TPM2B_DIGEST,
  TPM2B_NAME,
  TPML_PCR_SELECTION,
  TPMS_CLOCK_INFO,
} from './structures-common.ts'

/** TPM_GENERATED_VALUE (Part 2, 6.2): only a TPM signs a structure that begins with it when the key is restricted. */
export const TPM_GENERATED_VALUE = 0xff544347

/** TPM_ST values of attestations (Part 2, 6.9) */
export const TPM_ST_ATTEST_CERTIFY = 0x8017
export const TPM_ST_ATTEST_QUOTE = 0x8018

/** TPMS_TIME_INFO (Part 2, 10.11.6) */
export const TPMS_TIME_INFO = struct('TPMS_TIME_INFO', { time: u64, clockInfo: TPMS_CLOCK_INFO })

/** TPMS_QUOTE_INFO (Part 2, 10.12.1) */
const TPMS_QUOTE_INFO = struct('TPMS_QUOTE_INFO', {
  pcrSelect: TPML_PCR_SELECTION,
  pcrDigest: TPM2B_DIGEST,
})

/** TPMS_CERTIFY_INFO (Part 2, 10.12.3) */
const TPMS_CERTIFY_INFO = struct('TPMS_CERTIFY_INFO', {
  name: TPM2B_NAME,
  qualifiedName: TPM2B_NAME,
})

/** TPMS_TIME_ATTEST_INFO (Part 2, 10.12.2) */
const TPMS_TIME_ATTEST_INFO = struct('TPMS_TIME_ATTEST_INFO', {
  time: TPMS_TIME_INFO,
  firmwareVersion: u64,
})

/** TPMS_COMMAND_AUDIT_INFO (Part 2, 10.12.4) */
const TPMS_COMMAND_AUDIT_INFO = struct('TPMS_COMMAND_AUDIT_INFO', {
  auditCounter: u64,
  digestAlg: u16,
  auditDigest: TPM2B_DIGEST,
  commandDigest: TPM2B_DIGEST,
})

/** TPMS_SESSION_AUDIT_INFO (Part 2, 10.12.5) */
const TPMS_SESSION_AUDIT_INFO = struct('TPMS_SESSION_AUDIT_INFO', {
  exclusiveSession: yesNo,
  sessionDigest: TPM2B_DIGEST,
})

/** TPMS_CREATION_INFO (Part 2, 10.12.6) */
const TPMS_CREATION_INFO = struct('TPMS_CREATION_INFO', {
  objectName: TPM2B_NAME,
  creationHash: TPM2B_DIGEST,
})

/** TPMS_NV_CERTIFY_INFO (Part 2, 10.12.7) */
const TPMS_NV_CERTIFY_INFO = struct('TPMS_NV_CERTIFY_INFO', {
  indexName: TPM2B_NAME,
  offset: u16,
  nvContents: tpm2b('TPM2B_MAX_NV_BUFFER', 2048),
})

/** TPMS_NV_DIGEST_CERTIFY_INFO (Part 2, 10.12.8) */
const TPMS_NV_DIGEST_CERTIFY_INFO = struct('TPMS_NV_DIGEST_CERTIFY_INFO', {
  indexName: TPM2B_NAME,
  nvDigest: TPM2B_DIGEST,
})

/** TPMU_ATTEST (Part 2, 10.12.11) */
const TPMU_ATTEST = unionBy('TPMU_ATTEST', 'type', {
  nv: [0x8014, TPMS_NV_CERTIFY_INFO],
  commandAudit: [0x8015, TPMS_COMMAND_AUDIT_INFO],
  sessionAudit: [0x8016, TPMS_SESSION_AUDIT_INFO],
  certify: [TPM_ST_ATTEST_CERTIFY, TPMS_CERTIFY_INFO],
  quote: [TPM_ST_ATTEST_QUOTE, TPMS_QUOTE_INFO],
  time: [0x8019, TPMS_TIME_ATTEST_INFO],
  creation: [0x801a, TPMS_CREATION_INFO],
  nvDigest: [0x801c, TPMS_NV_DIGEST_CERTIFY_INFO],
})

/**
 * TPMS_ATTEST (Part 2, 10.12.12).
 * `magic` and `type` are plain numbers here: the check that reads them decides about their values,
 * which has to name the answer.
 */
export const TPMS_ATTEST = struct('TPMS_ATTEST', {
  magic: u32,
  type: u16,
  qualifiedSigner: TPM2B_NAME,
  extraData: TPM2B_DATA,
  clockInfo: TPMS_CLOCK_INFO,
  firmwareVersion: u64,
  attested: TPMU_ATTEST,
})

export type Attest = Decoded<typeof TPMS_ATTEST>
export type QuoteInfo = Decoded<typeof TPMS_QUOTE_INFO>
