import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { ARROWS, type Arrow } from './arrows.ts'

const FOLDERS = ['bin', 'conformance', 'reference', 'scenarios', 'simulator']
const planted: string[] = []

afterAll(() => {
  for (const directory of planted) rmSync(directory, { recursive: true, force: true })
})

test('no module imports across a forbidden arrow', { timeout: 180_000 }, async () => {
  const { modules, summary } = await cruiseTree(packageRoot(), FOLDERS)
  expect(modules.length).toBeGreaterThan(200)
  for (const folder of FOLDERS) {
    expect(
      modules.filter(({ source }) => source.startsWith(`${folder}/`)).length,
      folder,
    ).toBeGreaterThan(2)
  }
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual(
    [],
  )
})

/** One import for each arrow that crosses it. */
const VIOLATIONS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'the-judge-does-not-see-the-judged': ['simulator/a.ts', 'reference/b.ts'],
  'the-judged-does-not-see-the-judge': ['reference/a.ts', 'simulator/b.ts'],
  'only-the-command-sees-both': ['bin/a.js', 'reference/b.ts'],
  'a-scenario-imports-the-dsl-only': ['scenarios/a.ts', 'conformance/client/b.ts'],
  'the-judge-discovers-scenarios': ['conformance/a.ts', 'scenarios/b.ts'],
  'the-simulator-stands-alone': ['simulator/a.ts', 'conformance/b.ts'],
  'bytes-know-nothing': ['reference/bytes/a.ts', 'reference/tpm/b.ts'],
  'tpm-knows-bytes': ['reference/tpm/a.ts', 'reference/evidence/b.ts'],
  'evidence-is-pure': ['reference/evidence/a.ts', 'reference/platform/clock.ts'],
  'the-lower-folders-know-no-component': ['reference/api/a.ts', 'reference/verifier/b.ts'],
  'a-component-knows-no-other': ['reference/registrar/a.ts', 'reference/verifier/b.ts'],
  'the-verifier-knows-no-other': ['reference/verifier/a.ts', 'reference/registrar/b.ts'],
  'the-tenant-knows-no-other': ['reference/tenant/a.ts', 'reference/verifier/b.ts'],
  'the-agent-knows-no-other': ['reference/agent/a.ts', 'reference/verifier/b.ts'],
  'operations-do-not-see-http': ['reference/verifier/a.ts', 'reference/http-server/b.ts'],
  'nothing-imports-an-entry-point': ['reference/a.ts', 'reference/mutants/b.ts'],
}

test.each(ARROWS)(
  'a planted import against $name is red',
  { timeout: 180_000 },
  async ({ name }) => {
    const [from, to] = VIOLATIONS[name] ?? ['', '']
    const { summary } = await cruiseTree(plant(from, to), [from])
    expect(summary.violations.map(({ rule }) => rule.name)).toContain(name)
  },
)

test('a planted type import is red too', { timeout: 180_000 }, async () => {
  const root = plant('simulator/a.ts', 'reference/b.ts', 'import type')
  const { summary } = await cruiseTree(root, ['simulator/a.ts'])
  expect(summary.violations.map(({ rule }) => rule.name)).toContain(
    'the-judge-does-not-see-the-judged',
  )
})

async function cruiseTree(baseDir: string, entries: readonly string[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    [...entries],
    {
      baseDir,
      validate: true,
      ruleSet: { forbidden: ARROWS.map(asRule) },
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^(node_modules|dist)/' },
      tsPreCompilationDeps: true,
    },
    { extensions: ['.ts', '.js'] },
  )
  if (typeof output === 'string') throw new Error('dependency-cruiser reported text')
  return output
}

function asRule({ name, why, from, fromNot, to, toNot }: Arrow) {
  return {
    name,
    comment: why,
    severity: 'error' as const,
    from: { path: from, ...(fromNot === undefined ? {} : { pathNot: fromNot }) },
    to: { path: to, ...(toNot === undefined ? {} : { pathNot: toNot }) },
  }
}

function plant(from: string, to: string, word = 'import'): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-arrows-'))
  planted.push(root)
  for (const file of [from, to]) mkdirSync(join(root, file, '..'), { recursive: true })
  writeFileSync(join(root, to), 'export const planted = 1\nexport type Planted = number\n')
  const depth = from.split('/').length - 1
  const imported = word === 'import' ? '{ planted }' : '{ Planted }'
  writeFileSync(join(root, from), `${word} ${imported} from '${'../'.repeat(depth)}${to}'\n`)
  return root
}
