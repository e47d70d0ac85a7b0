import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { freshSeed, seededRandom, shuffled } from '../../../conformance/attempt/random.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import type { FuzzKind } from '../kinds.ts'
import { findFirst } from './find-first.ts'

/** The bugs of `reference/dev/mutation/edits/planted.yaml`, each with the kind that has to find it. */
const PLANTED: readonly (readonly [bug: string, kind: FuzzKind])[] = [
  ['blob-digest-padding', 'pcrs'],
  ['blob-unused-slots', 'pcrs'],
  ['nonce-start', 'quote'],
  ['signature-hash', 'signature'],
  ['key-unrestricted', 'signature'],
  ['pcr-policy-some', 'policy'],
  ['pcr-policy-mask', 'policy'],
  ['pcr-policy-high', 'policy'],
  ['pcr-policy-any-pcr', 'policy'],
  ['violation-later', 'imalog'],
  ['digest-of-another-path', 'imalog'],
  ['file-digest-start', 'imalog'],
  ['excludes-anywhere', 'policy'],
  ['file-signature-any-digest', 'imalog'],
  ['key-buffer-not-hashed', 'imalog'],
  ['boot-aggregate-any', 'imalog'],
  ['template-hash-start', 'imalog'],
  ['path-lower-case', 'imalog'],
  ['pcr-policy-remembered', 'sequence'],
  ['file-signature-remembered', 'imalog'],
  ['policy-of-same-length', 'policy'],
  ['cmdline-end', 'bootpolicy'],
  ['cmdline-some', 'eventlog'],
  ['initrd-some', 'eventlog'],
  ['dbx-some', 'bootpolicy'],
  ['mok-either', 'bootpolicy'],
  ['firmware-tail', 'eventlog'],
  ['authority-any', 'eventlog'],
  ['boot-replay-low', 'eventlog'],
  ['db-one-known', 'eventlog'],
]

/** All of them with `ASSAY_PLANTED=all`; otherwise so many, drawn with the seed. */
const SAMPLE = 3
const { ASSAY_SEED: seed = freshSeed(), ASSAY_PLANTED: wanted } = process.env
const drawn =
  wanted === 'all' ? PLANTED : shuffled(PLANTED, seededRandom(seed, 'planted')).slice(0, SAMPLE)

/** Builds the reference with the bugs, in a process of its own: the two sides share no code. */
function build(): string {
  const words = ['bin/dev.js', 'reference/dev/mutation/main.ts', 'planted.yaml']
  const printed = execFileSync(process.execPath, words, { cwd: packageRoot(), maxBuffer: 2 ** 26 })
  return JSON.parse(printed.toString()).program
}

test.each(drawn)(
  `an evaluator with the planted bug %s is found by kind %s (ASSAY_SEED=${seed})`,
  async (bug, kind) => {
    const command = `node ${build()} planted-${bug} verify-evidence --batch`
    const limits = { runs: 1_000_000, seconds: wanted === 'all' ? 120 : 300 }
    const finding = await findFirst({ name: bug, command, kind, limits, seed })
    expect(finding?.severity).toBe('false pass')
  },
)
