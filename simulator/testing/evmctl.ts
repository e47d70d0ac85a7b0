import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Bank, HASHES } from '../tpm/hash.ts'
import { filled, toHex } from '../tpm/write.ts'

const run = promisify(execFile)

/** Whether ima-evm-utils are installed: an independent reader of measurement lists. */
export const HAS_EVMCTL = (process.env.PATH ?? '')
  .split(delimiter)
  .some((directory) => existsSync(join(directory, 'evmctl')))

/** Returns PCR values in the kernel's format for a TPM 1.2, which evmctl reads. */
function pcrFile(bank: Bank, pcr10: Uint8Array): string {
  const lines = Array.from({ length: 24 }, (_, pcr) => {
    const value = pcr === 10 ? pcr10 : filled(HASHES[bank].size)
    const shown = toHex(value).toUpperCase().replace(/../g, '$& ').trim()
    return `PCR-${String(pcr).padStart(2, '0')}: ${shown}\n`
  })
  return lines.join('')
}

export interface EvmctlRequest {
  /** An empty directory for its files. */
  readonly directory: string
  readonly list: Uint8Array
  readonly bank: Bank
  readonly pcr10: Uint8Array
  readonly options?: readonly string[]
}

/** Returns the output of evmctl for a binary list and a value of PCR 10, regardless of the exit code. */
export async function evmctl(request: EvmctlRequest): Promise<string> {
  const { directory, list, bank, pcr10, options = [] } = request
  const [listPath, pcrPath] = [join(directory, 'list'), join(directory, 'pcrs')]
  await writeFile(listPath, list)
  await writeFile(pcrPath, pcrFile(bank, pcr10))
  const args = ['ima_measurement', ...options, '--pcrs', `${bank},${pcrPath}`, listPath]
  const ended = run('evmctl', args, { timeout: 10_000 })
  const { stdout, stderr } = await ended.catch(
    (output: { stdout: string; stderr: string }) => output,
  )
  return `${stdout}${stderr}`
}

/** Whether evmctl replays the list to that value. */
export async function evmctlMatches(request: EvmctlRequest): Promise<boolean> {
  return (await evmctl(request)).includes('Matched per TPM bank calculated digest(s).')
}
