import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { busy, now } from './clocks.ts'
import { inputOf, loadCorpus } from './corpus.ts'
import { fuzz } from './fuzz.ts'
import { presentReport } from './present.ts'
import { TARGET_NAMES, targetByName } from './targets.ts'
import { watch } from './watch.ts'
import { countWork } from './work.ts'

/** How many mutated inputs each target is given. */
const RUNS = Number(process.env['ASSAY_FUZZ_RUNS'] ?? 4000)

test.each(TARGET_NAMES)('every honest input of %s passes', (name) => {
  const target = targetByName(name)
  const verdicts = target.honest.map((input) => target.judge(input))
  expect(verdicts).toEqual(target.honest.map(() => ({ verdict: 'pass', says: [] })))
})

test.each(TARGET_NAMES)('the corpus of %s is judged as it was when it was kept', (name) => {
  const target = targetByName(name)
  const corpus = loadCorpus(name)
  const work = countWork()
  const seen = corpus.map((entry) => watch(target, inputOf(target, entry), { now, busy, work }))
  work.remove()
  expect(corpus.length).toBeGreaterThan(10)
  expect(seen.flatMap(({ faults }) => faults)).toEqual([])
  expect(seen.map(({ verdict }) => verdict)).toEqual(corpus.map(({ verdict }) => verdict))
})

test.each(TARGET_NAMES)(
  `nothing is found in ${RUNS} runs of %s`,
  async (name) => {
    const target = targetByName(name)
    const corpus = loadCorpus(name).map((entry) => inputOf(target, entry))
    const limits = { seed: randomInt(2 ** 32), runs: RUNS }
    const report = await fuzz(target, { ...limits, corpus, now, busy })
    const said = presentReport(report, corpus.length, [])
    console.info(said.trimEnd())
    expect(
      report.found.map(({ fault }) => fault),
      said,
    ).toEqual([])
    expect(report.runs).toBe(RUNS)
    // What a mutator changes must be a copy: else later runs are bent before they begin.
    const { honest } = target
    expect(honest.map((input) => target.judge(input).verdict)).toEqual(honest.map(() => 'pass'))
  },
  600_000,
)
