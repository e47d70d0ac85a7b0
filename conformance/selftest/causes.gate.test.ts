import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import type { RunResult } from '../report/result.ts'
import { freshOut, readResult, runAssay } from './command.ts'

/** Runs scenarios in 2.5 against a mutant of the reference. */
async function runWith(
  mutant: string,
  kind: string,
  words: readonly string[],
): Promise<RunResult & { readonly printed: string }> {
  const out = freshOut()
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const target = join(packageRoot(), 'reference', 'dev', 'mutants', `${kind}.target.yaml`)
  const argv = ['run', '--target', target, '--version', '2.5', '--out', out, ...words]
  const { stdout, stderr } = await runAssay(argv, { env: { ASSAY_MUTANT: mutant } })
  return { ...readResult(out), printed: stdout + stderr }
}

const only = (...patterns: readonly string[]) => patterns.flatMap((one) => ['--only', one])

test.each([
  [
    'a registrar that activates no agent',
    'no-activation',
    'built-mutant',
    [...only('registrar.*', 'matrix.fields.registrar'), '--role', 'registrar'],
    'PUT /agents/{agent_id}/activate of the registrar',
    'HTTP 400',
  ],
  [
    'a pull agent that answers integrity quotes with an error of the server',
    'agent.no-integrity-quote',
    'agent-mutant',
    only(
      'pull-agent.quote.*',
      'pull-agent.routes.*',
      'pull-agent.names',
      'matrix.fields.pull-agent',
    ),
    'GET /quotes/integrity of the pull agent',
    'HTTP 500',
  ],
  [
    'a verifier that never answers evidence',
    'no-answer-to-evidence',
    'built-mutant',
    only('verifier.evidence-valid', 'verifier.tee.valid', 'adversarial.attest.golden-multibank'),
    'POST /verify/evidence of the verifier',
    'no HTTP answer',
  ],
])('all failures with %s have one cause', async (_, mutant, kind, words, operation, answer) => {
  const { causes, scenarios, printed } = await runWith(mutant, kind, words)
  const failed = scenarios.filter(({ outcome }) => outcome === 'fail' || outcome === 'hang')
  expect(failed.length, printed).toBeGreaterThan(2)
  const sentence = `no request of this run for ${operation} was answered with success; the answer was ${answer}`
  expect(
    causes.map(({ says }) => says.slice(0, sentence.length)),
    printed,
  ).toEqual([sentence])
  expect(causes[0]?.failed).toHaveLength(failed.length)
})

test('a verifier that shows the state of asked agents early fails no scenario of polled agents', async () => {
  const { verdict, printed } = await runWith(
    'state-of-asked-agents-shown-early',
    'built-mutant',
    only('verifier.polling.*'),
  )
  expect(verdict, printed).toBe('part passed')
})
