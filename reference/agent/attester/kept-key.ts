import {
  contextLoad,
  contextSave,
  flushContext,
  type LoadedKey,
} from '../../tpm/commands/objects.ts'
import { TpmRefusal } from '../../tpm/commands/response-code.ts'
import type { SavedContext } from '../../tpm/commands/structures.ts'
import type { Transmit } from '../../tpm/transports/open-tpm.ts'

/**
 * A key that is in the TPM only while it is used, since a TPM holds only three and other processes need it too. A process
 * that is killed leaves none there.
 */
export interface KeptKey {
  /** TPM2B_PUBLIC with its size; creates the key on first use. */
  public(): Promise<Uint8Array>
  use<T>(use: (handle: number) => Promise<T>): Promise<T>
}

/** @param make loads the key; asked again when the TPM was reset, as it does not know the saved context any more */
export function keptKey(transmit: Transmit, make: () => Promise<LoadedKey>): KeptKey {
  let kept: { readonly context: SavedContext; readonly public: Uint8Array } | undefined

  const makeAnew = async (): Promise<number> => {
    const { handle, public: area } = await make()
    kept = { context: await contextSave(transmit, handle), public: area }
    return handle
  }
  const load = async (): Promise<number> => {
    if (kept === undefined) return makeAnew()
    try {
      return await contextLoad(transmit, kept.context)
    } catch (error) {
      if (!(error instanceof TpmRefusal)) throw error
      return makeAnew()
    }
  }
  const use: KeptKey['use'] = async (use) => {
    const handle = await load()
    try {
      return await use(handle)
    } finally {
      await flushContext(transmit, handle)
    }
  }
  return {
    use,
    async public() {
      return kept?.public ?? use(async () => kept?.public ?? new Uint8Array())
    },
  }
}

/** A persistent key of the TPM. */
export function persistentKey({ handle, public: area }: LoadedKey): KeptKey {
  return { public: async () => area, use: (use) => use(handle) }
}
