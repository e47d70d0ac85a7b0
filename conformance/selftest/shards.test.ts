import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunResult } from '../report/result.ts'
import { freshOut, readResult, runAssay } from './command.ts'

const SELECTED = ['--only', 'registrar.registration.*', '--version', '2.5', '--seed', '5']

const ran = async (...more: readonly string[]) => {
  const out = freshOut()
  const { code, stdout, stderr } = await runAssay(['run', ...SELECTED, ...more, '--out', out])
  expect(code, `${stdout}${stderr}`).toBe(0)
  return out
}

/** What follows from the scenarios, without times and ports. */
const judged = ({ verdict, exit_code, totals, scope, certification, ...result }: RunResult) => ({
  ...{ verdict, exit_code, totals, scope, certification },
  requirements: result.requirements,
  matrices: result.matrices,
  scenarios: result.scenarios.map(({ id, version, outcome, checks }) => [
    ...[id, version, outcome],
    checks.length,
  ]),
})

const merge = (...words: readonly string[]) => runAssay(['report', 'merge', ...words])

test('the shards of a run, merged, are that run', async () => {
  const whole = await ran()
  const shards: string[] = []
  for (const part of ['1/3', '2/3', '3/3'])
    shards.push(await ran('--shard', part, '--transcripts', 'all'))
  const out = freshOut()
  const { code, stdout } = await merge(...shards, '--out', out, '--format', 'tap')
  expect(code, stdout).toBe(0)
  expect(judged(readResult(out))).toEqual(judged(readResult(whole)))
  expect(readdirSync(out)).toEqual(expect.arrayContaining(['report.html', 'result.tap']))
  expect(stdout).toMatch(/^verdict {6}part passed: registrar .*\(exit code 0\)$/m)

  const { id, version } =
    readResult(out).scenarios.find(({ transcript }) => transcript.kept) ?? expect.fail()
  const file = join(out, 'transcripts.jsonl.gz')
  const shown = await runAssay(['report', 'show', id, '--version', version, '--transcripts', file])
  expect(shown.stdout).toContain('GET')

  const twice = await merge(...shards, shards[0] ?? '', '--out', freshOut())
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is given twice')])
  const fewer = await merge(...shards.slice(1), '--out', freshOut())
  expect([fewer.code, fewer.stderr]).toEqual([2, expect.stringContaining('shard 1/3 is missing')])
  const unsharded = await merge(whole, '--out', freshOut())
  expect(unsharded.stderr).toContain('is not the result of a shard')
})
