import { createHash } from 'node:crypto'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import type { Authorization } from '../../tpm/commands/command.ts'
import { create, type LoadedKey, load, type WrappedKey } from '../../tpm/commands/objects.ts'
import { TPM_RC, TpmRefusal } from '../../tpm/commands/response-code.ts'
import type { Transmit } from '../../tpm/transports/open-tpm.ts'
import { type AgentData, readAgentData, writeAgentData } from './agent-data.ts'
import type { Algorithms } from './algorithms.ts'
import { attestationTemplate } from './attestation-template.ts'
import type { EndorsementKey } from './endorsement-key.ts'
import { type KeptKey, keptKey } from './kept-key.ts'

/** Runs a command with the endorsement key, under its policy. */
export type UnderPolicy = <T>(use: (authorization: Authorization) => Promise<T>) => Promise<T>

export interface AttestationKeyRequest {
  readonly algorithms: Algorithms
  readonly ek: EndorsementKey
  readonly underPolicy: UnderPolicy
  /** Where it is kept, wrapped, from one start to the next. */
  readonly file: string
}

/** The attestation key of an earlier start, as long as the TPM, and what it should be, are the same; or a new one. */
export async function attestationKey(
  transmit: Transmit,
  { algorithms, ek, underPolicy, file }: AttestationKeyRequest,
): Promise<KeptKey> {
  const description = describe(algorithms, await ek.public())

  const loadUnder = async (parent: number): Promise<LoadedKey> => {
    const kept = readAgentData(file)
    const loaded =
      kept && isOf(kept, description) ? await reload(parent, wrappedOf(kept)) : undefined
    return loaded ?? createUnder(parent)
  }
  const reload = async (parent: number, key: WrappedKey): Promise<LoadedKey | undefined> => {
    try {
      return await underPolicy((session) => load(transmit, parent, session, key))
    } catch (error) {
      // The TPM was cleared: its old keys are gone for good.
      if (error instanceof TpmRefusal && error.code === TPM_RC.INTEGRITY) return undefined
      throw error
    }
  }
  const createUnder = async (parent: number): Promise<LoadedKey> => {
    const template = attestationTemplate(algorithms)
    const key = await underPolicy((session) => create(transmit, parent, session, template))
    const blobs = { ak_public: toBase64(key.public), ak_private: toBase64(key.private) }
    writeAgentData(file, { ...description, ...blobs })
    return underPolicy((session) => load(transmit, parent, session, key))
  }
  return keptKey(transmit, () => ek.use(loadUnder))
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

function wrappedOf({ ak_public, ak_private }: AgentData): WrappedKey {
  return { public: fromBase64(ak_public), private: fromBase64(ak_private) }
}
