import { type FileHandle, open } from 'node:fs/promises'
import { RESPONSE_MAX, TpmUnreachable, type Transport } from './transport.ts'

/**
 * A TPM behind a character device of the kernel: a command is one write, its response one read. At `/dev/tpmrm0` the
 * kernel keeps the keys and sessions of each opener apart, so that other programs may use the TPM at the same time.
 */
export function deviceTransport(path: string): Transport {
  let device: FileHandle | undefined
  return {
    async exchange(command) {
      device ??= await openDevice(path)
      try {
        await device.write(command)
        const { bytesRead, buffer } = await device.read(new Uint8Array(RESPONSE_MAX))
        return buffer.subarray(0, bytesRead)
      } catch (cause) {
        throw new TpmUnreachable(`the TPM at ${path} ${problemOf(cause)}`, { cause })
      }
    },
    async close() {
      await device?.close()
      device = undefined
    },
  }
}

async function openDevice(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+')
  } catch (cause) {
    throw new TpmUnreachable(`the TPM device ${path} ${problemOf(cause)}`, { cause })
  }
}

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'is not there'],
  ['EACCES', 'may not be used by this user: it is usually open to the group tss'],
  ['EBUSY', 'is in use by another program: /dev/tpmrm0 takes several'],
])

function problemOf(cause: unknown): string {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException
  return PROBLEMS.get(code) ?? `failed (${code})`
}
