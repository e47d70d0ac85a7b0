import { BOOT_EVENTS } from './support/near-misses/boot-events.ts'
import { BOOT_KEYS } from './support/near-misses/boot-keys.ts'
import { BOOT_POLICY } from './support/near-misses/boot-policy.ts'
import { BOOT_REPLAY } from './support/near-misses/boot-replay.ts'
import { CURVE_KEYS } from './support/near-misses/curves.ts'
import { MEASUREMENT_LIST } from './support/near-misses/measurement-list.ts'
import { nearMissFamily } from './support/near-misses/near-miss-family.ts'
import { PCR_POLICY } from './support/near-misses/pcr-policy.ts'
import { POLICIES_TOGETHER } from './support/near-misses/policies-together.ts'
import { QUOTES } from './support/near-misses/quotes.ts'
import { RSA_SIGNATURES } from './support/near-misses/rsa-signatures.ts'
import { RUNTIME_POLICY } from './support/near-misses/runtime-policy.ts'
import { SIGNED_FILES } from './support/near-misses/signed-files.ts'

/** Evidence of a third party that differs in one value from evidence with the other verdict. */
export default nearMissFamily('adversarial.near-misses', 'adversarial.attest.golden-soft', [
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
  POLICIES_TOGETHER,
])
