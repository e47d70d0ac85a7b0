import type { Attempt } from './boot-attempts/attempt.ts'
import { COMMAND_LINES } from './boot-attempts/command-lines.ts'
import { FILES } from './boot-attempts/files.ts'
import { FIRMWARE } from './boot-attempts/firmware.ts'
import { AUTHORITIES, KEYS } from './boot-attempts/keys.ts'
import { REVOKED } from './boot-attempts/revoked.ts'
import { SHIM } from './boot-attempts/shim.ts'

/** Every attempt, in the order of its kinds. */
export const BOOT_ATTEMPTS: readonly Attempt[] = [
  ...COMMAND_LINES,
  ...FILES,
  ...REVOKED,
  ...KEYS,
  ...SHIM,
  ...FIRMWARE,
  ...AUTHORITIES,
]
