import { mkdirSync } from 'node:fs'
import { hashes } from '../../../tpm/algorithms.ts'
import { extendPcr } from '../../../tpm/commands/pcrs.ts'
import { digestOf } from '../../../tpm/digest.ts'
import { endSwtpm, socketIn, spawnSwtpm } from '../../../tpm/testing/spawn-swtpm.ts'
import { openTpm } from '../../../tpm/transports/open-tpm.ts'

/** A virtual TPM of its own seeds, which has measured a list. */
export interface VirtualTpm {
  readonly pid: number
  readonly tcti: string
  stop(): Promise<void>
}

const WITHIN_MS = 30_000
const IMA_PCR = 10

/**
 * Starts one in a directory that does not exist yet.
 *
 * @param measured template data of each entry of the measurement list
 */
export async function startVirtualTpm(
  directory: string,
  measured: readonly Uint8Array[],
): Promise<VirtualTpm> {
  mkdirSync(directory, { mode: 0o700 })
  const child = await spawnSwtpm(directory, WITHIN_MS)
  const socket = socketIn(directory)
  const stop = () => endSwtpm(child)
  try {
    await measure(socket, measured)
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid ?? 0, tcti: `swtpm:path=${socket}`, stop }
}

async function measure(path: string, measured: readonly Uint8Array[]): Promise<void> {
  const tpm = openTpm({ kind: 'unix', path })
  try {
    for (const data of measured)
      await extendPcr(tpm.transmit, hashes.sha256, IMA_PCR, digestOf(hashes.sha256, data))
  } finally {
    await tpm.close()
  }
}
