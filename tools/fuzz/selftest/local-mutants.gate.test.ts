import { expect, test } from 'vitest'
import type { Severity } from '../findings/finding.ts'
import type { FuzzKind } from '../kinds.ts'
import { findFirst } from './find-first.ts'

/** The first finding against the reference's evaluator with one bug in it. */
function firstFinding(mutant: string, kind: FuzzKind, runs: number, deadline = 1000) {
  const command = `node bin/dev.js reference/dev/mutants/main.ts ${mutant} verify-evidence --batch`
  return findFirst({ name: mutant, command, kind, limits: { runs, seconds: 300 }, deadline })
}

const CHECKS: readonly (readonly [check: string, kind: FuzzKind, runs: number, broken: string])[] =
  [
    ['quote.structure', 'quote', 8000, 'attest-form'],
    ['quote.magic', 'quote', 8000, 'magic'],
    ['quote.nonce', 'quote', 8000, 'nonce'],
    ['quote.signature-form', 'signature', 8000, 'signature-form'],
    ['quote.algorithms', 'signature', 8000, 'scheme'],
    ['quote.signature', 'quote', 8000, 'signature'],
    ['quote.signature', 'signature', 500, 'signature'],
    ['quote.selection', 'quote', 8000, 'selection-shown'],
    ['quote.pcr-digest', 'quote', 8000, 'pcr-digest'],
    ['ima.replay', 'imalog', 20_000, 'list-replay'],
    ['ima.entry-hash', 'imalog', 20_000, 'list-hash'],
    ['ima.entry-policy', 'imalog', 20_000, 'policy-file'],
    ['uefi.replay', 'eventlog', 8000, 'boot-replay'],
    ['boot-policy.kernel', 'bootpolicy', 8000, 'boot-command'],
  ]

test.each(CHECKS)(
  'an evaluator without the check %s takes mutated evidence of kind %s within %i inputs',
  async (check, kind, runs, broken) => {
    const finding = await firstFinding(`${check}-not-checked`, kind, runs)
    expect([finding?.severity, finding?.says.map(({ id }) => id)]).toEqual([
      'false pass',
      expect.arrayContaining([broken]),
    ])
    expect(finding?.shots.map(({ recipe }) => recipe.length)).toEqual([1])
  },
)

test.each<readonly [string, FuzzKind, number, Severity, number]>([
  ['evaluation-throws', 'signature', 4000, 'crash', 1000],
  ['evaluation-slow', 'imalog', 12_000, 'hang', 250],
  ['evaluation-large', 'imalog', 12_000, 'memory', 1000],
  ['evaluation-changes', 'quote', 800, 'changed answer', 1000],
])(
  '%s is found by kind %s within %i inputs: %s, with a deadline of %i ms',
  async (mutant, kind, runs, severity, deadline) => {
    const finding = await firstFinding(mutant, kind, runs, deadline)
    expect(finding?.severity).toBe(severity)
  },
)

/** What is removed here other checks notice, so that no evidence passes that must not. */
test.each(['quote.type', 'ima.quoted'])(
  'without %s nothing passes that must not',
  async (check) => {
    const kind = check.startsWith('ima') ? 'pcrs' : 'quote'
    // Twice as many as the rarest of the bugs above takes.
    expect(await firstFinding(`${check}-not-checked`, kind, 500)).toBeUndefined()
  },
)
