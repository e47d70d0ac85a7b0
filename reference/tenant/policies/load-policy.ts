import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TenantOptions } from '../options.ts'
import type { Members } from '../read-members.ts'
import { TenantFault } from '../tenant-fault.ts'
import type { PolicyKind } from './policy-kinds.ts'

/** The body for a policy's file. @throws {TenantFault} `usage` */
export function loadPolicy(kind: PolicyKind, options: TenantOptions): Members {
  const file = options[kind.options.file]
  if (file === undefined)
    throw new TenantFault('usage', `what does the ${kind.noun} say?`, `give ${kind.words.file}`)
  const bytes = loadFile(kind.words.file, file)
  if (kind.options.file === 'runtimePolicy') checkSum(bytes, options.runtimePolicyChecksum)
  const text = textOf(kind.words.file, file, bytes)
  const { runtimePolicySigKey: key } = options
  const keyText = key === undefined ? undefined : loadText('--runtime-policy-sig-key FILE', key)
  return kind.bodyOf(text, keyText)
}

/** Text of a file that an option names. @throws {TenantFault} `usage` */
function loadText(option: string, file: string): string {
  return textOf(option, file, loadFile(option, file))
}

function textOf(option: string, file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TenantFault('usage', `${file} is binary, and text is needed`, `give ${option}`, cause)
  }
}

/** Bytes of a file that an option names. @throws {TenantFault} `usage` */
export function loadFile(option: string, file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const problem = missing ? 'there is no such file' : 'it cannot be read'
    throw new TenantFault('usage', `${file}: ${problem}`, `give ${option}`, cause)
  }
}

function checkSum(bytes: Uint8Array, wanted: string | undefined): void {
  const sum = createHash('sha256').update(bytes).digest('hex')
  if (wanted === undefined || wanted.toLowerCase() === sum) return
  throw new TenantFault(
    'policy_not_usable',
    `the runtime policy hashes to ${sum}, and not to the value of --runtime-policy-checksum`,
    'get the file again from where the sum is from',
  )
}
