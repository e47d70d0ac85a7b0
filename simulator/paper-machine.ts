import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Attesting } from './attesting.ts'
import { faultSet } from './faults/fault-set.ts'
import { imaLog } from './ima-log.ts'
import type { Machine } from './machine.ts'
import { rsaKeyOf } from './soft/keys.ts'
import { openCredential } from './soft/open-credential.ts'
import { rsaAttester, type SoftAttester, tpm2bPublic } from './soft-attester.ts'
import type { Manufacturer } from './swtpm/manufacturer.ts'
import { AK_HANDLE, EK_HANDLE } from './swtpm/provision.ts'
import { EK_RSA2048 } from './swtpm/templates.ts'
import { type Attested, writeAttest } from './tpm/attest.ts'
import type { Attestation } from './tpm/commands/attestation.ts'
import { TPM_ST } from './tpm/constants.ts'
import { digest, HASHES } from './tpm/hash.ts'
import { writePcrBlob } from './tpm/pcr-blob.ts'
import { selectPcrs } from './tpm/pcr-selection.ts'
import { nameOf, pemOf, spkiOf, type TPMT_PUBLIC } from './tpm/public.ts'
import type { Tpm } from './tpm/tpm.ts'
import { cat, filled } from './tpm/write.ts'

/** What an agent needs of a machine. */
export interface AttestingMachine
  extends Attesting,
    Pick<Machine, 'ek' | 'ak' | 'ima' | 'uefi' | 'bootTime' | 'deviceIdentity'> {
  readonly tpm: Pick<Tpm, 'activateCredential'>
}

interface Keys {
  readonly endorsement: KeyObject
  readonly endorsementArea: TPMT_PUBLIC
  readonly attester: SoftAttester
}

const CLOCK = { clock: 1_000_000n, resetCount: 1, restartCount: 0, safe: 1 }
/** Milliseconds on a TPM's clock from one thing that it attests to the next. */
const TICK = 1000n
const FIRMWARE = 1n
const NOTHING = new Uint8Array()

let made: Keys | undefined
const certificates = new WeakMap<Manufacturer, Promise<Uint8Array>>()

/** The one certificate of the one key. */
function certify(manufacturer: Manufacturer, area: TPMT_PUBLIC): Promise<Uint8Array> {
  const certificate = certificates.get(manufacturer) ?? manufacturer.certifyEk(spkiOf(area))
  certificates.set(manufacturer, certificate)
  return certificate
}

/** The same two keys for every paper machine: finding primes takes longer than everything else of one. */
function keys(): Keys {
  made ??= makeKeys()
  return made
}

function makeKeys(): Keys {
  const endorsement = rsaKeyOf('a paper endorsement key')
  const { n = '' } = createPublicKey(endorsement).export({ format: 'jwk' })
  const unique = new Uint8Array(Buffer.from(n, 'base64url'))
  const endorsementArea = { ...EK_RSA2048, unique }
  return { endorsement, endorsementArea, attester: rsaAttester('a paper attestation key') }
}

/**
 * A machine without a TPM, which costs a scenario next to nothing: its keys are numbers, its PCRs are zeros, nothing
 * was measured on it. It is for what depends on who asks and not on what is attested. All of them have the same keys.
 */
export async function paperMachine(manufacturer: Manufacturer): Promise<AttestingMachine> {
  const { endorsement, endorsementArea, attester } = keys()
  const publicArea = tpm2bPublic(endorsementArea)
  const name = nameOf(attester.public)
  return {
    ek: {
      handle: EK_HANDLE,
      public: publicArea,
      name: nameOf(publicArea),
      certificate: await certify(manufacturer, endorsementArea),
    },
    ak: {
      handle: AK_HANDLE,
      public: attester.public,
      name,
      publicPem: pemOf(attester.area),
      algorithm: 'rsa2048',
    },
    ima: imaLog([], faultSet()),
    uefi: { bytes: NOTHING, entryCount: 0 },
    bootTime: '2026-01-01T00:00:00Z',
    deviceIdentity: withoutTpm,
    tpm: { activateCredential: withoutTpm },
    ...attestingOnPaper(attester, name),
    activateCredential: async (blob) => openCredential(blob, endorsement, name),
  }
}

function withoutTpm(): Promise<never> {
  return Promise.reject(new TypeError('a paper machine has no TPM'))
}

function attestingOnPaper(
  attester: SoftAttester,
  name: Uint8Array,
): Pick<Attesting, 'quote' | 'certify' | 'getTime'> {
  let { clock } = CLOCK
  const attest = (type: number, extraData: Uint8Array, attested: Attested): Attestation => {
    clock += TICK
    const header = { type, qualifiedSigner: name, extraData, clockInfo: { ...CLOCK, clock } }
    const message = writeAttest({
      ...header,
      firmwareVersion: FIRMWARE,
      attested,
      leftover: NOTHING,
    })
    return { message, signature: attester.sign(message) }
  }
  return {
    async quote({ qualifyingData, bank, pcrs }) {
      const selections = [selectPcrs(bank, pcrs)]
      const pcrValues = new Map(pcrs.map((pcr) => [pcr, filled(HASHES[bank].size)]))
      const values = [...pcrValues.values()]
      const pcrDigest = digest('sha256', cat(...values))
      const attested = { kind: 'quote', pcrSelect: selections, pcrDigest } as const
      const quoted = attest(TPM_ST.ATTEST_QUOTE, qualifyingData, attested)
      return { ...quoted, pcrValues, blob: writePcrBlob(selections, values) }
    },
    certify: async ({ qualifyingData }) =>
      attest(TPM_ST.ATTEST_CERTIFY, qualifyingData, { kind: 'certify', name, qualifiedName: name }),
    getTime: async ({ qualifyingData }) =>
      attest(TPM_ST.ATTEST_TIME, qualifyingData, {
        kind: 'time',
        time: CLOCK.clock,
        clockInfo: CLOCK,
        firmwareVersion: FIRMWARE,
      }),
  }
}
