import type { StateRun } from '../boot-states.ts'
import type { Random } from '../random.ts'
import { mutateJson } from './json.ts'

const MEMBERS = [
  ...['has_secureboot', 'scrtm_and_bios', 'pk', 'kek', 'db', 'dbx', 'vendor_db'],
  ...['mokdig', 'mokxdig', 'kernels', 'kernel', '__proto__', 'SecureBoot'],
]
const VALUES: readonly unknown[] = [
  ...[true, false, null, [], {}, [{}], [[]], 'text', 0],
  [{ sha256: `0x${'0'.repeat(64)}` }],
  [{ sha256: '0x00' }, { md5: `0x${'0'.repeat(32)}` }],
  [{ scrtm: {}, platform_firmware: [] }],
  [{ SignatureOwner: '', SignatureData: '0x' }],
  [{ kernel_cmdline: '(a+)+$' }],
  [{ kernel_cmdline: '(?=x)' }],
  [{ kernel_cmdline: '[' }],
  [{ kernel_cmdline: 'a{1000}{1000}' }],
  [{ kernel_cmdline: 'a)|(?:b' }],
  [{ kernel_cmdline: '' }],
]
const MANY = 4000

/** One or two changes of a reference state. */
export function mutateStateRun(run: StateRun, other: StateRun, random: Random): StateRun {
  if (random.once(8192)) return { ...run, text: swollen(random) }
  let { text } = run
  for (let left = random.pick([1, 1, 2]); left > 0; left--)
    text = random.once(3) ? withMember(text, random) : mutateJson(text, other.text, random)
  return { ...run, text }
}

function withMember(text: string, random: Random): string {
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return text
    const member = [[random.pick(MEMBERS), random.pick(VALUES)] as const]
    return JSON.stringify(Object.fromEntries([...Object.entries(document), ...member]))
  } catch {
    return text
  }
}

function swollen(random: Random): string {
  const key = { SignatureOwner: '77fa9abd-0359-4d32-bd60-28f4e78f784b', SignatureData: '0x00' }
  const many = Array.from({ length: MANY }, () => key)
  return random.once(2)
    ? JSON.stringify({ dbx: many })
    : JSON.stringify({ kernels: Array.from({ length: MANY }, () => ({ kernel_cmdline: 'a.*b' })) })
}
