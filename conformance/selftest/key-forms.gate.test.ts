import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { freshOut, readResult, runAssay } from './command.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-key-forms-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A target with an agent whose bootstrap keys have other forms than upstream's, and these values of the dialect. */
function targetWith(values: string): string {
  const text = readFileSync(join(packageRoot(), 'reference/dev/mutants/agent-mutant.target.yaml'))
  const program = JSON.stringify(join(packageRoot(), 'bin/dev.js'))
  const file = join(directory, `${values.length}.target.yaml`)
  const dialect = `dialect: { base: document${values} }\n`
  writeFileSync(file, text.toString().replaceAll('../../../bin/dev.js', program) + dialect)
  return file
}

test.each([
  [
    'passes where the dialect names them',
    ', bootstrap-padding: oaep-sha256, verify-hmac: sha256-hex',
    0,
  ],
  ['fails where it names the padding alone', ', bootstrap-padding: oaep-sha256', 1],
  ['fails where it names the proof alone', ', verify-hmac: sha256-hex', 1],
])(
  'an agent with other forms of bootstrap keys %s',
  { timeout: 120_000 },
  async (_, values, exit) => {
    const out = freshOut()
    const env = { ASSAY_MUTANT: 'agent.keys-in-other-forms' }
    const only = ['--only', 'pull-agent.keys.derived.u-then-v', '--version', '2.5']
    const args = ['run', '--target', targetWith(values), '--out', out, ...only]
    const { code, stderr } = await runAssay(args, { env })
    expect(stderr).toBe('')
    expect(code).toBe(exit)
    const red = readResult(out).scenarios.filter(({ outcome }) => outcome === 'fail')
    expect(red.length > 0).toBe(exit === 1)
    rmSync(out, { recursive: true, force: true })
  },
)
