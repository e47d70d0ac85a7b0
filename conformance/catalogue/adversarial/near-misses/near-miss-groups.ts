import { BOOT_EVENTS } from './boot/events.ts'
import { BOOT_KEYS } from './boot/keys.ts'
import { BOOT_LOGS } from './boot/logs.ts'
import { BOOT_POLICY } from './boot/policy.ts'
import { BOOT_REPLAY } from './boot/replay.ts'
import { SHA1_LOGS } from './boot/sha1-logs.ts'
import { CURVE_KEYS } from './curves.ts'
import { MEASUREMENT_LIST } from './measurement-list.ts'
import type { NearMissGroup } from './near-miss.ts'
import { PCR_POLICY } from './pcr-policy.ts'
import { POLICIES_TOGETHER } from './policies-together.ts'
import { QUOTES } from './quotes.ts'
import { RSA_SIGNATURES } from './rsa-signatures.ts'
import { RUNTIME_POLICY } from './runtime-policy.ts'
import { SIGNED_FILES } from './signed-files.ts'

/** Evidence of a third party that differs in one value from evidence with the other verdict. */
export const NEAR_MISS_GROUPS: readonly NearMissGroup[] = [
  QUOTES,
  RSA_SIGNATURES,
  CURVE_KEYS,
  PCR_POLICY,
  RUNTIME_POLICY,
  MEASUREMENT_LIST,
  SIGNED_FILES,
  BOOT_POLICY,
  BOOT_EVENTS,
  BOOT_KEYS,
  BOOT_REPLAY,
  BOOT_LOGS,
  SHA1_LOGS,
  POLICIES_TOGETHER,
]
