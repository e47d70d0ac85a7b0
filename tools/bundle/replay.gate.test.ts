import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { startAssay } from '../../conformance/selftest/command.ts'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import { loadRecording } from './recording.ts'

const MUTANT = join(packageRoot(), 'reference', 'dev', 'mutants', 'mutant.target.yaml')
const SCENARIO = 'push.evidence.signature-bit-flipped'

/** The body of the registration in the transcript of a run: it has the keys of the TPM. */
async function registered(directory: string): Promise<string | undefined> {
  const { kept } = await loadRecording(directory, SCENARIO)
  const [first] = kept.transcript.flatMap((entry) => (entry.lane === 'wire' ? [entry] : []))
  return first?.request.body
}

test('a defect is reproduced from its bundle with the same agent and keys, and not where it is mended', async () => {
  const place = temporaryDirectory()
  const [first, bundle, again, good] = ['first', 'a.zip', 'again', 'good'].map((name) =>
    join(place, name),
  ) as [string, string, string, string]
  const env = { ASSAY_MUTANT: 'quote.signature-not-checked' }
  const assay = async (words: readonly string[], options = {}) => startAssay(words, options).ended
  const run = ['run', '--target', MUTANT, '--only', SCENARIO, '--out', first]
  expect((await assay(run, { env })).code).toBe(1)
  expect((await assay(['bundle', SCENARIO, '--from', first, '--out', bundle])).code).toBe(0)
  const replay = ['replay', bundle, '--out']
  const reproduced = await assay([...replay, again, '--target', MUTANT], { env })
  expect(reproduced.stdout).toMatch(/^replay +reproduced: ATT-SIGNATURE-VERIFIED/m)
  expect(reproduced.code).toBe(1)
  const mended = await assay([...replay, good])
  expect(mended.stdout).toMatch(/^replay +not reproduced: every check holds now$/m)
  expect(mended.code).toBe(0)
  const [before, after] = [await registered(first), await registered(good)].map((body) =>
    JSON.parse(body ?? '{}'),
  )
  expect([after.agent_id, after.aik_tpm]).toEqual([before.agent_id, before.aik_tpm])
  expect(before.aik_tpm).toMatch(/^.{100,}$/)
})
