import { expect, test } from 'vitest'
import { freshSeed } from '../../../conformance/attempt/random.ts'
import { freshOut, runAssay } from '../../../conformance/selftest/command.ts'
import { isOfRegistrar, KIND_NAMES } from '../kinds.ts'

/** Inputs of each kind. */
const RUNS = process.env.ASSAY_FUZZ_RUNS ?? '250'

test.each(KIND_NAMES.filter((kind) => !isOfRegistrar(kind)))(
  `${RUNS} inputs of kind %s find nothing wrong with the reference's evaluator`,
  async (kind) => {
    const limits = [
      '--seed',
      freshSeed(),
      '--runs',
      RUNS,
      '--seconds',
      '500',
      '--deadline',
      '10000',
    ]
    const { code, stdout, stderr } = await runAssay(['fuzz', kind, ...limits, '--out', freshOut()])
    expect([code, stderr], stdout).toEqual([0, ''])
    expect(stdout).toContain('nothing found')
  },
)
