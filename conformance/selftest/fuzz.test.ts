import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Finding } from '../fuzz/finding.ts'
import { packageRoot } from '../package-root.ts'
import { type CommandOptions, freshOut, runAssay } from './command.ts'

const REFERENCE = 'reference/assay.target.yaml'
const MUTANT = 'reference/mutants/mutant.target.yaml'
const WITHIN = { timeout: 90_000 }

function fuzz(
  kind: string,
  target: string,
  words: readonly string[],
  options: CommandOptions = {},
) {
  const argv = ['fuzz', kind, '--target', target, '--seed', '7', '--seconds', '10', ...words]
  return runAssay(argv, options)
}

/** The target file of a mutant with its verifier alone, which starts in half the time. */
function verifierAlone(out: string): string {
  const target = parse(readFileSync(join(packageRoot(), MUTANT), 'utf8'))
  const { verifier } = target.roles
  verifier.start.cwd = join(packageRoot(), 'reference', 'mutants')
  const file = join(out, 'mutant.target.yaml')
  writeFileSync(file, stringify({ ...target, versions: ['2.5'], roles: { verifier } }))
  return file
}

/** Counts of a row of the table, by the heads of its columns. */
function countsOf(stdout: string, way: string): Readonly<Record<string, number>> {
  const cells = (line: string) => line.split('│').map((cell) => cell.trim())
  const lines = stdout.split('\n')
  const heads = cells(lines.find((line) => line.includes('│ way')) ?? '')
  const row = cells(lines.findLast((line) => line.startsWith('│ ') && line.includes(way)) ?? '')
  return Object.fromEntries(heads.map((head, at) => [head, Number(row[at])]))
}

test(
  'quotes find nothing wrong with the reference, which both takes and refuses',
  WITHIN,
  async () => {
    const out = freshOut()
    const { code, stdout, stderr } = await fuzz('quote', REFERENCE, ['--runs', '60', '--out', out])
    expect([code, stderr], stdout).toEqual([0, ''])
    for (const way of ['POST verify/evidence', 'PATCH attestations']) {
      const { passed = 0, failed = 0, refused = 0, honest = 0 } = countsOf(stdout, way)
      expect(passed, stdout).toBeGreaterThanOrEqual(honest)
      expect(failed + refused, stdout).toBeGreaterThan(3)
    }
    rmSync(out, { recursive: true, force: true })
  },
)

test(
  'registrations find nothing wrong with the reference, and leave nobody behind',
  WITHIN,
  async () => {
    const out = freshOut()
    const { code, stdout, stderr } = await fuzz('registration', REFERENCE, [
      '--runs',
      '120',
      '--out',
      out,
    ])
    expect([code, stderr], stdout).toEqual([0, ''])
    for (const way of ['register 2.5', 'register 3.0']) {
      const { passed = 0, refused = 0 } = countsOf(stdout, way)
      expect(passed, stdout).toBeGreaterThan(3)
      expect(refused, stdout).toBeGreaterThan(3)
    }
    expect(stdout).not.toContain('not undone')
    rmSync(out, { recursive: true, force: true })
  },
)

test.each([
  ['quote.nonce-not-checked', 'quote', 'nonce'],
  ['quote.signature-not-checked', 'signature', 'signature'],
])(
  '%s lets something pass that it must not, made small and sent again',
  WITHIN,
  async (id, kind, broken) => {
    const out = freshOut()
    const options = { env: { ASSAY_MUTANT: id } }
    const target = verifierAlone(out)
    const { code, stdout } = await fuzz(kind, target, ['--runs', '30', '--out', out], options)
    expect(code, stdout).toBe(1)
    const [file = ''] = readdirSync(join(out, 'fuzz')).toSorted()
    const finding = JSON.parse(readFileSync(join(out, 'fuzz', file), 'utf8')) as Finding
    expect([finding.severity, finding.says.map((one) => one.id)]).toEqual(['false pass', [broken]])
    expect(finding.shots.map(({ recipe }) => recipe.length)).toEqual([1])
    expect(finding.shots[0]?.body).not.toContain('ima_measurement_list')
    const again = ['fuzz', '--target', target, '--out', out, '--replay', join(out, 'fuzz', file)]
    const replayed = await runAssay(again, options)
    expect([replayed.code, replayed.stdout]).toEqual([
      1,
      expect.stringContaining('\nseen again: false pass'),
    ])
    rmSync(out, { recursive: true, force: true })
  },
)
