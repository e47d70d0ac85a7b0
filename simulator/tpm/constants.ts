/** Numbers of the TPM 2.0 Library, Part 2 (Structures), in its spelling. */

/** TPM_GENERATED (6.2): the first four bytes of every structure that only a TPM may sign. */
export const TPM_GENERATED_VALUE = 0xff544347

/** TPM_ALG_ID (6.3), as far as used here. */
export const TPM_ALG = {
  RSA: 0x0001,
  SHA1: 0x0004,
  HMAC: 0x0005,
  AES: 0x0006,
  SHA256: 0x000b,
  SHA384: 0x000c,
  SHA512: 0x000d,
  NULL: 0x0010,
  SM3_256: 0x0012,
  RSASSA: 0x0014,
  RSAES: 0x0015,
  RSAPSS: 0x0016,
  OAEP: 0x0017,
  ECDSA: 0x0018,
  ECDH: 0x0019,
  ECDAA: 0x001a,
  SM2: 0x001b,
  ECSCHNORR: 0x001c,
  ECC: 0x0023,
  CFB: 0x0043,
} as const

/** TPM_ECC_CURVE (6.4). */
export const TPM_ECC = {
  NIST_P192: 0x0001,
  NIST_P224: 0x0002,
  NIST_P256: 0x0003,
  NIST_P384: 0x0004,
  NIST_P521: 0x0005,
  SM2_P256: 0x0020,
} as const

/** TPM_CC (6.5.2), the commands sent or named here. */
export const TPM_CC = {
  EvictControl: 0x00000120,
  NV_UndefineSpace: 0x00000122,
  ClearControl: 0x00000127,
  Clear: 0x00000126,
  HierarchyControl: 0x00000121,
  ClockSet: 0x00000128,
  HierarchyChangeAuth: 0x00000129,
  NV_DefineSpace: 0x0000012a,
  PCR_Allocate: 0x0000012b,
  CreatePrimary: 0x00000131,
  NV_Increment: 0x00000134,
  NV_Write: 0x00000137,
  NV_WriteLock: 0x00000138,
  DictionaryAttackLockReset: 0x00000139,
  PCR_Event: 0x0000013c,
  PCR_Reset: 0x0000013d,
  SequenceComplete: 0x0000013e,
  IncrementalSelfTest: 0x00000142,
  SelfTest: 0x00000143,
  Startup: 0x00000144,
  Shutdown: 0x00000145,
  StirRandom: 0x00000146,
  ActivateCredential: 0x00000147,
  Certify: 0x00000148,
  PolicyNV: 0x00000149,
  CertifyCreation: 0x0000014a,
  GetTime: 0x0000014c,
  NV_Read: 0x0000014e,
  NV_ReadLock: 0x0000014f,
  ObjectChangeAuth: 0x00000150,
  PolicySecret: 0x00000151,
  Create: 0x00000153,
  Import: 0x00000156,
  Load: 0x00000157,
  Quote: 0x00000158,
  RSA_Decrypt: 0x00000159,
  HMAC_Start: 0x0000015b,
  SequenceUpdate: 0x0000015c,
  Sign: 0x0000015d,
  Unseal: 0x0000015e,
  PolicySigned: 0x00000160,
  ContextLoad: 0x00000161,
  ContextSave: 0x00000162,
  ECDH_KeyGen: 0x00000163,
  EncryptDecrypt: 0x00000164,
  FlushContext: 0x00000165,
  LoadExternal: 0x00000167,
  MakeCredential: 0x00000168,
  NV_ReadPublic: 0x00000169,
  PolicyAuthorize: 0x0000016a,
  PolicyAuthValue: 0x0000016b,
  PolicyCommandCode: 0x0000016c,
  PolicyOR: 0x00000171,
  ReadPublic: 0x00000173,
  RSA_Encrypt: 0x00000174,
  StartAuthSession: 0x00000176,
  VerifySignature: 0x00000177,
  ECC_Parameters: 0x00000178,
  GetCapability: 0x0000017a,
  GetRandom: 0x0000017b,
  GetTestResult: 0x0000017c,
  Hash: 0x0000017d,
  PCR_Read: 0x0000017e,
  PolicyPCR: 0x0000017f,
  PolicyRestart: 0x00000180,
  ReadClock: 0x00000181,
  PCR_Extend: 0x00000182,
  HashSequenceStart: 0x00000186,
  PolicyGetDigest: 0x00000189,
  TestParms: 0x0000018a,
  PolicyPassword: 0x0000018c,
} as const

/** TPM_ST (6.9): command tags and attestation types. */
export const TPM_ST = {
  NO_SESSIONS: 0x8001,
  SESSIONS: 0x8002,
  ATTEST_NV: 0x8014,
  ATTEST_COMMAND_AUDIT: 0x8015,
  ATTEST_SESSION_AUDIT: 0x8016,
  ATTEST_CERTIFY: 0x8017,
  ATTEST_QUOTE: 0x8018,
  ATTEST_TIME: 0x8019,
  ATTEST_CREATION: 0x801a,
  ATTEST_NV_DIGEST: 0x801c,
  HASHCHECK: 0x8024,
} as const

/** TPM_SU (6.10): kinds of startup and shutdown. */
export const TPM_SU = { CLEAR: 0x0000, STATE: 0x0001 } as const

/** TPM_SE (6.11): kinds of session. */
export const TPM_SE = { HMAC: 0x00, POLICY: 0x01, TRIAL: 0x03 } as const

/** TPM_CAP (6.12), as far as used here. */
export const TPM_CAP = { ALGS: 0, HANDLES: 1, COMMANDS: 2, PCRS: 5, TPM_PROPERTIES: 6 } as const

/** TPM_RH (7.4): permanent handles. */
export const TPM_RH = {
  OWNER: 0x40000001,
  NULL: 0x40000007,
  PW: 0x40000009,
  LOCKOUT: 0x4000000a,
  ENDORSEMENT: 0x4000000b,
  PLATFORM: 0x4000000c,
} as const

/** TPMA_OBJECT (8.3): one bit each. */
export const TPMA_OBJECT = {
  fixedTPM: 0x00000002,
  stClear: 0x00000004,
  fixedParent: 0x00000010,
  sensitiveDataOrigin: 0x00000020,
  userWithAuth: 0x00000040,
  adminWithPolicy: 0x00000080,
  noDA: 0x00000400,
  restricted: 0x00010000,
  decrypt: 0x00020000,
  sign: 0x00040000,
} as const

/** TPMA_NV (13.4): one bit each. */
export const TPMA_NV = {
  PPWRITE: 0x00000001,
  OWNERWRITE: 0x00000002,
  AUTHWRITE: 0x00000004,
  WRITEDEFINE: 0x00002000,
  PPREAD: 0x00010000,
  OWNERREAD: 0x00020000,
  AUTHREAD: 0x00040000,
  NO_DA: 0x02000000,
  PLATFORMCREATE: 0x40000000,
} as const

const commandNames = new Map<number, string>(
  Object.entries(TPM_CC).map(([name, code]) => [code, `TPM2_${name}`]),
)

/** Returns the specification name of a command code, e.g. `TPM2_Quote`; for an unknown code, its number. */
export function commandName(code: number): string {
  return commandNames.get(code) ?? `TPM_CC 0x${code.toString(16).padStart(8, '0')}`
}
