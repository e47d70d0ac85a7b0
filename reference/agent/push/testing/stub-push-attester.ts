import { makeStubAttester, quoted } from '../../../evidence/testing/stub-attester.ts'
import { nameOf } from '../../../tpm/name.ts'
import type { PushEnvironment } from '../environment.ts'

/** An attester without a TPM, whose PCRs hold their number; its key is made once. */
const STUB_KEY = makeStubAttester()

const PCRS: readonly number[] = [0, 7, 10, 16]

export const stubPushAttester: PushEnvironment['attester'] = {
  algorithms: { key: 'ecc256', hash: 'sha256', signing: 'ecdsa' },
  akPublic: STUB_KEY.tpm2bPublic,
  activate: async (blob) => blob,
  pcrs: async () => PCRS,
  async certify(extraData) {
    const value = { name: nameOf(STUB_KEY.tpm2bPublic), qualifiedName: new Uint8Array() }
    return STUB_KEY.attest({ type: 0x8017, extraData, attested: { kind: 'certify', value } })
  },
  async quote({ nonce: extraData, pcrs }) {
    const values = new Map(pcrs.map((pcr) => [pcr, new Uint8Array(32).fill(pcr)]))
    const attested = quoted([{ bank: 'sha256', values }])
    return { ...STUB_KEY.attest({ extraData, attested }), pcrs: values }
  },
}
