import { STATES } from './boot-logs.ts'
import type { Input } from './target.ts'

/** A reference state as JSON text. */
export interface StateRun extends Input {
  readonly text: string
}

const DIGEST = { sha1: `0x${'a'.repeat(40)}`, sha256: `0x${'B'.repeat(64)}` }
const KEY = { SignatureOwner: '77FA9ABD-0359-4d32-bd60-28f4e78f784b', SignatureData: '0x30820505' }

const FULL = {
  has_secureboot: false,
  scrtm_and_bios: [
    { scrtm: DIGEST, platform_firmware: [DIGEST, { sha384: `0x${'c'.repeat(96)}` }] },
  ],
  ...{ pk: [KEY], kek: [KEY, KEY], db: [KEY], dbx: [], vendor_db: [KEY] },
  ...{ mokdig: [DIGEST], mokxdig: [] },
  kernels: [
    { vmlinuz_plain_sha256: DIGEST.sha256, kernel_cmdline: '/vmlinuz\\-6\\.1\\ root=.*' },
    { grub_authcode_sha256: DIGEST.sha256, kernel_authcode_sha256: DIGEST.sha256 },
  ],
}

export const HONEST_STATES: readonly StateRun[] = [...STATES, FULL, {}].map((state, of) => ({
  of,
  text: JSON.stringify(state),
}))
