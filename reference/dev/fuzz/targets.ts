import type { Target } from './target.ts'
import { bootpolicyTarget } from './targets/bootpolicy.ts'
import { ekcertTarget } from './targets/ekcert.ts'
import { eventlogTarget } from './targets/eventlog.ts'
import { imalogTarget } from './targets/imalog.ts'
import { pcrsTarget } from './targets/pcrs.ts'
import { policyTarget } from './targets/policy.ts'
import { quoteTarget } from './targets/quote.ts'
import { signatureTarget } from './targets/signature.ts'

const TARGETS: ReadonlyMap<string, () => Target> = new Map<string, () => Target>([
  ['quote', quoteTarget],
  ['signature', signatureTarget],
  ['pcrs', pcrsTarget],
  ['imalog', imalogTarget],
  ['policy', policyTarget],
  ['eventlog', eventlogTarget],
  ['bootpolicy', bootpolicyTarget],
  ['ekcert', ekcertTarget],
])

export const TARGET_NAMES: readonly string[] = [...TARGETS.keys()]

/** A target by the name it has on the command line. */
export function targetByName(name: string): Target {
  const make = TARGETS.get(name)
  if (!make) throw new RangeError(`nothing called ${name} can be fuzzed`)
  return make()
}
