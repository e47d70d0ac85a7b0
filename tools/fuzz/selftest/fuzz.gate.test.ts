import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { type CommandOptions, freshOut, runAssay } from '../../../conformance/selftest/command.ts'
import type { Finding } from '../findings/finding.ts'

const REFERENCE = 'reference/assay.target.yaml'
const MUTANT = 'reference/dev/mutants/built-mutant.target.yaml'

function fuzz(
  kind: string,
  target: string,
  words: readonly string[],
  options: CommandOptions = {},
) {
  const argv = ['fuzz', kind, '--target', target, '--seed', '7', '--seconds', '300', ...words]
  return runAssay(argv, options)
}

/** A target file with its verifier alone, which starts in half the time. */
function verifierAlone(out: string, file = MUTANT): string {
  const target = parse(readFileSync(join(packageRoot(), file), 'utf8'))
  const { verifier } = target.roles
  const { command } = verifier.start
  const others = command.indexOf('and')
  verifier.start.command = others < 0 ? command : command.slice(0, others)
  verifier.start.cwd = join(packageRoot(), dirname(file))
  const alone = join(out, 'alone.target.yaml')
  writeFileSync(alone, stringify({ ...target, versions: ['2.5'], roles: { verifier } }))
  return alone
}

/** A target file whose runs are all of one version. */
function inOneVersion(out: string): string {
  const file = join(packageRoot(), MUTANT)
  const target = parse(readFileSync(file, 'utf8'))
  target.roles.verifier.start.cwd = dirname(file)
  const one = join(out, 'one.target.yaml')
  writeFileSync(one, stringify({ ...target, versions: ['3.0'] }))
  return one
}

/** Counts of a row of the table, by the heads of its columns. */
function countsOf(stdout: string, way: string): Readonly<Record<string, number>> {
  const cells = (line: string) => line.split('│').map((cell) => cell.trim())
  const lines = stdout.split('\n')
  const heads = cells(lines.find((line) => line.includes('│ way')) ?? '')
  const row = cells(lines.findLast((line) => line.startsWith('│ ') && line.includes(way)) ?? '')
  return Object.fromEntries(heads.map((head, at) => [head, Number(row[at])]))
}

test.each(['quote', 'eventlog'])(
  '%s finds nothing wrong with the reference, which both takes and refuses',
  async (kind) => {
    const out = freshOut()
    const { code, stdout, stderr } = await fuzz(kind, REFERENCE, ['--runs', '60', '--out', out])
    expect([code, stderr], stdout).toEqual([0, ''])
    for (const way of ['POST verify/evidence', 'PATCH attestations']) {
      const { passed = 0, failed = 0, refused = 0, honest = 0 } = countsOf(stdout, way)
      expect(passed, stdout).toBeGreaterThanOrEqual(honest)
      expect(failed + refused, stdout).toBeGreaterThan(1)
    }
    rmSync(out, { recursive: true, force: true })
  },
)

test('registrations find nothing wrong with the reference, and leave no agent behind', async () => {
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
})

test('EK certificates find nothing wrong with the reference, in any version', async () => {
  const out = freshOut()
  const { code, stdout } = await fuzz('ekcert', REFERENCE, ['--runs', '160', '--out', out])
  expect(code, stdout).toBe(0)
  for (const version of ['1.0', '2.1', '2.4', '2.5', '3.0']) {
    const { passed = 0, honest = 0, refused = 0 } = countsOf(stdout, `register ${version}`)
    expect(passed, stdout).toBeGreaterThanOrEqual(honest)
    expect(refused, stdout).toBeGreaterThan(3)
  }
  expect(stdout).not.toContain('not undone')
  rmSync(out, { recursive: true, force: true })
})

test('boot policies find nothing wrong with the reference', async () => {
  const out = freshOut()
  const target = verifierAlone(out, REFERENCE)
  const { code, stdout } = await fuzz('bootpolicy', target, ['--runs', '100', '--out', out])
  expect(code, stdout).toBe(0)
  const { passed = 0, failed = 0, refused = 0 } = countsOf(stdout, 'POST verify/evidence')
  expect(Math.min(passed, failed, refused), stdout).toBeGreaterThan(1)
  rmSync(out, { recursive: true, force: true })
})

/** What a kind finds at a mutant in 30 runs, the worst first, and how to ask that mutant once more. */
async function foundAt(id: string, kind: string, targetIn: (out: string) => string) {
  const out = freshOut()
  const options = { env: { ASSAY_MUTANT: id } }
  const target = targetIn(out)
  const { code, stdout } = await fuzz(kind, target, ['--runs', '30', '--out', out], options)
  expect(code, stdout).toBe(1)
  const [name = ''] = readdirSync(join(out, 'fuzz')).toSorted()
  const file = join(out, 'fuzz', name)
  const again = ['fuzz', '--target', target, '--out', out, '--replay', file]
  return {
    finding: JSON.parse(readFileSync(file, 'utf8')) as Finding,
    again: () => runAssay(again, options),
    cleanUp: () => rmSync(out, { recursive: true, force: true }),
  }
}

test.each([
  ['quote.signature-not-checked', 'signature', 'signature'],
  ['uefi.replay-not-checked', 'eventlog', 'boot-replay'],
  ['boot-policy.kernel-not-checked', 'bootpolicy', 'boot-file'],
])('%s lets something pass that it must not, made small', async (id, kind, broken) => {
  const { finding, cleanUp } = await foundAt(id, kind, verifierAlone)
  expect([finding.severity, finding.says.map((one) => one.id)]).toEqual(['false pass', [broken]])
  expect(finding.shots.map(({ recipe }) => recipe.length)).toEqual([1])
  expect(finding.shots[0]?.body).not.toContain('ima_measurement_list')
  cleanUp()
})

test.each([
  ['path.signature-not-checked', 'ekcert-maker'],
  ['path.dates-not-checked', 'ekcert-time'],
  ['ek-not-certified', 'ekcert-key'],
])('%s lets an EK certificate pass that it must not, made small', async (id, broken) => {
  const { finding, cleanUp } = await foundAt(id, 'ekcert', inOneVersion)
  expect([finding.severity, finding.says.map((one) => one.id)]).toEqual(['false pass', [broken]])
  expect(finding.shots.map(({ recipe }) => recipe.length)).toEqual([1])
  cleanUp()
})

test('what was found is seen again when it is sent again', async () => {
  const { finding, again, cleanUp } = await foundAt(
    'quote.nonce-not-checked',
    'quote',
    verifierAlone,
  )
  expect(finding.says.map(({ id }) => id)).toEqual(['nonce'])
  const replayed = await again()
  expect([replayed.code, replayed.stdout]).toEqual([
    1,
    expect.stringContaining('\nseen again: false pass'),
  ])
  cleanUp()
})
