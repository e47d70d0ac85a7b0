import { createHash } from 'node:crypto'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import type { Algorithms } from '../../config/algorithms.ts'
import { StartFault } from '../../errors.ts'
import type { Authorization } from '../../tpm/commands/command.ts'
import { create, type LoadedKey, load, type WrappedKey } from '../../tpm/commands/objects.ts'
import { TPM_RC, TpmRefusal } from '../../tpm/commands/response-code.ts'
import type { Transmit } from '../../tpm/transports/open-tpm.ts'
import { type AgentData, readAgentData, writeAgentData } from './agent-data.ts'
import { attestationTemplate } from './attestation-template.ts'
import type { EndorsementKey } from './endorsement-key.ts'
import { type KeptKey, keptKey } from './kept-key.ts'

/** Runs a command with the endorsement key, under its policy. */
type UnderPolicy = <T>(use: (authorization: Authorization) => Promise<T>) => Promise<T>

interface AttestationKeyRequest {
  readonly algorithms: Algorithms
  readonly ek: EndorsementKey
  readonly underPolicy: UnderPolicy
  /** Where it is kept, wrapped, from one start to the next. */
  readonly file: string
}

/**
 * The attestation key of an earlier start, as long as the TPM, and what it should be, are the same; or a new one. Once it
 * is there it stays: a running agent is enrolled with it, and the verifier would reject quotes by another one.
 */
export async function attestationKey(
  transmit: Transmit,
  { algorithms, ek, underPolicy, file }: AttestationKeyRequest,
): Promise<KeptKey> {
  const description = describe(algorithms, await ek.public())
  const own = ownFile(file, description)
  let begunWith: WrappedKey | undefined

  const loadUnder = async (parent: number): Promise<LoadedKey> => {
    const wrapped = begunWith ?? keptKeyOf(own, description)
    const loaded = wrapped && (await reload(parent, wrapped))
    if (loaded === undefined && begunWith !== undefined) throw anotherTpm()
    begunWith = loaded && wrapped
    return loaded ?? createUnder(parent)
  }
  const reload = async (parent: number, key: WrappedKey): Promise<LoadedKey | undefined> => {
    try {
      return await underPolicy((session) => load(transmit, parent, session, key))
    } catch (error) {
      // The TPM was cleared: its old keys cannot be loaded any more.
      if (error instanceof TpmRefusal && error.code === TPM_RC.INTEGRITY) return undefined
      throw error
    }
  }
  const createUnder = async (parent: number): Promise<LoadedKey> => {
    const template = attestationTemplate(algorithms)
    const key = await underPolicy((session) => create(transmit, parent, session, template))
    const blobs = { ak_public: toBase64(key.public), ak_private: toBase64(key.private) }
    writeAgentData(own, { ...description, ...blobs })
    const loaded = await underPolicy((session) => load(transmit, parent, session, key))
    begunWith = key
    return loaded
  }
  return keptKey(transmit, () => ek.use(loadUnder))
}

/** Each TPM has its own file, so that an agent configured for a wrong TPM for a while finds its key again. */
function ownFile(file: string, { ek_hash }: Description): string {
  const kept = readAgentData(file)
  return kept === undefined || kept.ek_hash === ek_hash ? file : `${file}.${ek_hash.slice(0, 16)}`
}

function anotherTpm(): StartFault {
  return new StartFault(
    'the TPM does not know the attestation key any more: it is another one, or was cleared',
    'give the agent its TPM back, or start it again: it then makes a key, which has to be registered and added',
  )
}

type Description = Omit<AgentData, 'ak_public' | 'ak_private'>

function describe({ key, hash, signing }: Algorithms, ekPublic: Uint8Array): Description {
  return {
    ak_key_alg: key,
    ak_hash_alg: hash,
    ak_sign_alg: signing,
    ek_hash: createHash('sha256').update(ekPublic).digest('hex'),
  }
}

function isOf(kept: AgentData, wanted: Description): boolean {
  return Object.entries(wanted).every(([name, value]) => kept[name as keyof Description] === value)
}

function keptKeyOf(file: string, wanted: Description): WrappedKey | undefined {
  const kept = readAgentData(file)
  return kept && isOf(kept, wanted) ? wrappedOf(kept) : undefined
}

function wrappedOf({ ak_public, ak_private }: AgentData): WrappedKey {
  return { public: fromBase64(ak_public), private: fromBase64(ak_private) }
}
