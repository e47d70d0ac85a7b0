import type { KeyObject } from 'node:crypto'
import { concat } from '../../bytes/writer.ts'
import { type Algorithms, signingOf } from '../../config/algorithms.ts'
import { StartFault } from '../../errors.ts'
import type { Random } from '../../platform/random.ts'
import { decode, encode } from '../../tpm/codec.ts'
import { type Attested, certify } from '../../tpm/commands/attestation.ts'
import { readClock } from '../../tpm/commands/clock.ts'
import { password } from '../../tpm/commands/command.ts'
import { activateCredential } from '../../tpm/commands/objects.ts'
import { readPcrs } from '../../tpm/commands/pcrs.ts'
import { withEndorsementPolicy } from '../../tpm/commands/policy.ts'
import { TPM_RC, TpmRefusal } from '../../tpm/commands/response-code.ts'
import { CREDENTIAL_FILE, TPM2B_ENCRYPTED_SECRET, TPM2B_ID_OBJECT } from '../../tpm/credential.ts'
import { TPM2B_PUBLIC, TPMA_OBJECT } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import { inTurn } from '../../tpm/transports/in-turn.ts'
import type { TpmConnection } from '../../tpm/transports/open-tpm.ts'
import { TpmSilent, TpmUnreachable } from '../../tpm/transports/transport.ts'
import { attestationKey } from './attestation-key.ts'
import { loadEndorsementKey } from './endorsement-key.ts'
import { type Quoted, quotePcrs } from './quote-pcrs.ts'

/** The TPM operations of an agent; they run one after another, so that they do not interfere. */
export interface Attester {
  readonly algorithms: Algorithms
  /** TPM2B_PUBLIC of both keys, with their sizes. */
  readonly ekPublic: Uint8Array
  readonly akPublic: Uint8Array
  /** DER; undefined where the TPM has none. */
  readonly ekCertificate: Uint8Array | undefined
  /** The endorsement key without its TPM structures. */
  readonly ekKey: KeyObject
  /** Opens a credential blob of a registrar, in the file form of the usual tools. */
  activate(blob: Uint8Array): Promise<Uint8Array>
  /** A quote over PCRs of the bank; PCR 16 holds the digest then, where one is given. */
  quote(request: {
    readonly nonce: Uint8Array
    readonly pcrs: readonly number[]
    readonly nodeKeyDigest?: Uint8Array
  }): Promise<Quoted>
  /** The PCRs that the TPM has in the bank, ascending; they are the same as long as it runs. */
  pcrs(): Promise<readonly number[]>
  /** The attestation key certifies itself over these bytes. */
  certify(qualifyingData: Uint8Array): Promise<Attested>
  /** Milliseconds since the TPM got its power. */
  uptime(): Promise<bigint>
  /** The same, and how often the TPM was reset: every boot is one. */
  boot(): Promise<TpmBoot>
  close(): Promise<void>
}

interface TpmBoot {
  /** Milliseconds */
  readonly uptime: bigint
  readonly resetCount: number
}

export interface AttesterSettings {
  readonly algorithms: Algorithms
  /** A persistent endorsement key; the default one is made where none is named. */
  readonly ekHandle: number | undefined
  /** Password of the endorsement hierarchy. */
  readonly hierarchyPassword: Uint8Array
  readonly random: Random
  /** Where the attestation key is kept, wrapped, from one start to the next. */
  readonly file: string
}

/** PC Client Platform TPM Profile, 4.6 */
const EVERY_PCR = Array.from({ length: 24 }, (_, pcr) => pcr)

/**
 * Makes the keys of an agent, or takes those of an earlier start.
 *
 * @throws {StartFault} the TPM is missing, or refuses a command
 */
export async function openAttester(
  tpm: TpmConnection,
  settings: AttesterSettings,
): Promise<Attester> {
  try {
    return await open(tpm, settings)
  } catch (error) {
    await tpm.close()
    throw faultOf(error)
  }
}

async function open(tpm: TpmConnection, settings: AttesterSettings): Promise<Attester> {
  const { transmit } = tpm
  const { algorithms, random, file } = settings
  const signing = signingOf(algorithms)
  const endorsement = password(settings.hierarchyPassword)
  const { key: kind } = algorithms
  const ek = await loadEndorsementKey(transmit, kind, endorsement, settings.ekHandle)
  const takesPassword = usesPassword(await ek.public())
  const underPolicy = <T>(use: Parameters<typeof withEndorsementPolicy<T>>[2]) =>
    takesPassword
      ? use(password())
      : withEndorsementPolicy(
          transmit,
          { endorsement, random: (count) => random.bytes(count) },
          use,
        )
  const ak = await attestationKey(transmit, { algorithms, ek, underPolicy, file })
  const [ekPublic, akPublic] = [await ek.public(), await ak.public()]
  const queue = inTurn()
  let allocated: readonly number[] | undefined
  return {
    ...{ algorithms, ekPublic, akPublic, ekCertificate: ek.certificate },
    ekKey: publicKeyOf(decode(TPM2B_PUBLIC, ekPublic).contents),
    activate: (blob) =>
      queue(() =>
        ak.use((activate) =>
          ek.use((key) =>
            underPolicy((session) =>
              activateCredential(
                transmit,
                { activate, key },
                [password(), session],
                credentialOf(blob),
              ),
            ),
          ),
        ),
      ),
    quote: (request) =>
      queue(() => ak.use((key) => quotePcrs(transmit, key, { ...request, signing }))),
    certify: (qualifyingData) =>
      queue(() =>
        ak.use((key) => certify(transmit, { object: key, key, qualifyingData, signing })),
      ),
    pcrs: () =>
      queue(async () => {
        allocated ??= [...(await readPcrs(transmit, signing.hash, EVERY_PCR)).keys()]
        return allocated
      }),
    uptime: () => queue(async () => (await readClock(transmit)).time),
    boot: () =>
      queue(async () => {
        const { time, clockInfo } = await readClock(transmit)
        return { uptime: time, resetCount: clockInfo.resetCount }
      }),
    close: () => queue(() => tpm.close()),
  }
}

/** Endorsement keys of the high-range templates are used with their own password, which is empty. */
function usesPassword(ekPublic: Uint8Array): boolean {
  const { objectAttributes } = decode(TPM2B_PUBLIC, ekPublic).contents
  return (objectAttributes & TPMA_OBJECT.userWithAuth) !== 0
}

/** What TPM2_ActivateCredential takes of a credential file. */
function credentialOf(blob: Uint8Array): Uint8Array {
  const { credentialBlob, secret } = decode(CREDENTIAL_FILE, blob)
  return concat(encode(TPM2B_ID_OBJECT, credentialBlob), encode(TPM2B_ENCRYPTED_SECRET, secret))
}

const TCTI = 'say where it is with --set tcti=swtpm:host=HOST,port=PORT or --set tcti=device:PATH'

const BUSY = 'check whether another program uses it: swtpm serves one at a time'

const OTHER_KIND =
  'it may have no keys of this kind: choose another one with --set tpm_encryption_alg=KIND'

/** Advice for a TPM that cannot serve an agent, by its response code. */
const REMEDIES: ReadonlyMap<number, string> = new Map([
  [
    TPM_RC.INITIALIZE,
    'it was not started up: start swtpm with --flags not-need-init,startup-clear',
  ],
  [TPM_RC.OBJECT_MEMORY, 'other programs left keys in it: tpm2_flushcontext --transient-object'],
  [TPM_RC.SESSION_MEMORY, 'other programs left sessions in it: tpm2_flushcontext --loaded-session'],
  [TPM_RC.BAD_AUTH, 'give the password of its endorsement hierarchy as tpm_ownerpassword'],
  [TPM_RC.AUTH_FAIL, 'give the password of its endorsement hierarchy as tpm_ownerpassword'],
  [TPM_RC.VALUE, OTHER_KIND],
  [TPM_RC.CURVE, OTHER_KIND],
  [TPM_RC.HANDLE, 'name an endorsement key that is in the TPM as ek_handle, or leave that out'],
])

function faultOf(error: unknown): unknown {
  if (error instanceof TpmSilent) return new StartFault(error.message, BUSY, error)
  if (error instanceof TpmUnreachable) return new StartFault(error.message, TCTI, error)
  if (error instanceof TpmRefusal)
    return new StartFault(error.message, REMEDIES.get(error.code), error)
  return error
}
