import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { IMPORT_RULES, type ImportRule, LAYERS } from './import-rules.ts'

const FOLDERS = ['bin', 'conformance', 'reference', 'scenarios', 'simulator', 'tools']
const CYCLE = 'no-cycle'
const planted: string[] = []

afterAll(() => {
  for (const directory of planted) rmSync(directory, { recursive: true, force: true })
})

test('no import breaks a rule or is part of a cycle', async () => {
  const { modules, summary } = await cruiseTree(packageRoot(), FOLDERS)
  for (const folder of FOLDERS) {
    const found = modules.filter(({ source }) => source.startsWith(`${folder}/`))
    expect(found.length, folder).toBeGreaterThan(2)
  }
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual(
    [],
  )
})

test.each(Object.entries(LAYERS))('every folder of %s has a layer', (side, folders) => {
  const sources = filesOf(side).filter((file) => /^(?!.*\.test\.ts$).*\.ts$/.test(file))
  const found = new Set(sources.map((file) => file.split('/')[1]))
  expect([...found].toSorted()).toEqual(folders.toSorted())
})

/** One forbidden import for each rule that is not about layers. */
const VIOLATIONS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'harness-does-not-import-reference': ['simulator/a.ts', 'reference/b.ts'],
  'reference-does-not-import-harness': ['reference/a.ts', 'simulator/b.ts'],
  'bin-imports-no-side': ['bin/a.js', 'reference/b.ts'],
  'simulator-imports-nothing-of-ours': ['simulator/a.ts', 'conformance/b.ts'],
  'conformance-does-not-import-tools': ['conformance/a.ts', 'tools/b.ts'],
  'scenario-imports-api-and-support': ['scenarios/push/a.ts', 'conformance/client/b.ts'],
  'support-belongs-to-one-area': ['scenarios/push/support/a.ts', 'scenarios/http/support/b.ts'],
  'nothing-imports-a-scenario': ['conformance/a.ts', 'scenarios/push/b.ts'],
  'evidence-is-pure': ['reference/evidence/a.ts', 'reference/platform/clock.ts'],
  'component-imports-no-other-component': ['reference/tenant/a.ts', 'reference/verifier/b.ts'],
  'nothing-imports-dev': ['reference/a.ts', 'reference/dev/mutants/b.ts'],
}

/** Paths of all files below a folder, from the root. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(packageRoot(), join(parentPath, name)))
}

function placeIn(side: string, folder = ''): string {
  return folder.endsWith('.ts') ? `${side}/${folder}` : `${side}/${folder}/a.ts`
}

/** A forbidden import for each rule; for a layer, an import from the next higher one. */
function violationOf({ name }: ImportRule): readonly [from: string, to: string] {
  const named = VIOLATIONS[name]
  if (named !== undefined) return named
  for (const [side, folders] of Object.entries(LAYERS)) {
    const at = folders.findIndex((folder) => name === `${side}-${folder}-imports-downwards`)
    if (at >= 0) return [placeIn(side, folders[at]), placeIn(side, folders[at + 1])]
  }
  throw new Error(`there is no planted violation of ${name}`)
}

/** Another file name for each rule, where the rule does not depend on the name. */
function numbered(path: string, at: number): string {
  return path.replace(/\/([ab])\.(ts|js)$/, `/$1${at}.$2`)
}

test('a planted violation of each rule is found', async () => {
  const violations = IMPORT_RULES.map((rule, at) => {
    const [from, to] = violationOf(rule)
    return [numbered(from, at), numbered(to, at)] as const
  })
  const { summary } = await cruiseTree(plant(violations), [...new Set(violations.flat())])
  const found = new Set(
    summary.violations.map(({ rule, from, to }) => `${rule.name} ${from} ${to}`),
  )
  const missed = IMPORT_RULES.filter(({ name }, at) => {
    const [from, to] = violations[at] ?? []
    return !found.has(`${name} ${from} ${to}`)
  })
  expect(missed.map(({ name }) => name)).toEqual([])
})

test('a planted cycle is found, by value and by type', async () => {
  const from = 'simulator/tpm/a.ts'
  const cycle: readonly Import[] = [
    [from, 'simulator/tpm/b.ts'],
    ['simulator/tpm/b.ts', from],
  ]
  expect(await brokenBy(plant(cycle), from)).toContain(CYCLE)
  expect(await brokenBy(plant(cycle, 'import type'), from)).toContain(CYCLE)
})

test('a planted type import is found', async () => {
  const root = plant([['simulator/a.ts', 'reference/b.ts']], 'import type')
  expect(await brokenBy(root, 'simulator/a.ts')).toContain('harness-does-not-import-reference')
})

const MOST_FILES = 25
const MOST_NAMES = 20

test(`no folder of sources has more than ${MOST_FILES} files`, () => {
  const counts = new Map<string, number>()
  for (const file of FOLDERS.flatMap(filesOf))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([])
})

test(`scenarios have about ${MOST_NAMES} names from the engine`, () => {
  const text = readFileSync(join(packageRoot(), 'conformance', 'scenario.ts'), 'utf8')
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].map(([, list]) => list)
  const names = lists.flatMap((list = '') => list.split(',').filter((name) => name.trim() !== ''))
  const declared = text.match(/^export (interface|function|const|type \w)/gm) ?? []
  expect(names.length + declared.length).toBeLessThanOrEqual(MOST_NAMES)
})

async function brokenBy(root: string, from: string): Promise<readonly string[]> {
  const { summary } = await cruiseTree(root, [from])
  return summary.violations.map(({ rule }) => rule.name)
}

async function cruiseTree(baseDir: string, entries: readonly string[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    [...entries],
    {
      baseDir,
      validate: true,
      ruleSet: {
        forbidden: [
          ...IMPORT_RULES.map(asRule),
          { name: CYCLE, severity: 'error', from: {}, to: { circular: true } },
        ],
      },
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^(node_modules|dist)/' },
      tsPreCompilationDeps: true,
    },
    { extensions: ['.ts', '.js'] },
  )
  if (typeof output === 'string') throw new Error('dependency-cruiser reported text')
  return output
}

function asRule({ name, why, from, fromNot, to, toNot }: ImportRule) {
  return {
    name,
    comment: why,
    severity: 'error' as const,
    from: { path: from, ...(fromNot === undefined ? {} : { pathNot: fromNot }) },
    to: { path: to, ...(toNot === undefined ? {} : { pathNot: toNot }) },
  }
}

type Import = readonly [from: string, to: string]

/** Writes files that import each other into a temporary directory, and returns it. */
function plant(imports: readonly Import[], word = 'import'): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-imports-'))
  planted.push(root)
  const imported = word === 'import' ? '{ planted as other }' : '{ Planted as Other }'
  const write = (file: string, text: string): void => {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const own = 'export const planted = 1\nexport type Planted = number\n'
  for (const file of new Set(imports.flat())) {
    const targets = imports.flatMap(([from, to]) => (from === file ? [to] : []))
    const up = '../'.repeat(file.split('/').length - 1)
    const lines = targets.map(
      (to, at) => `${word} ${imported.replace('ther', `ther${at}`)} from './${up}${to}'`,
    )
    write(file, `${lines.join('\n')}\n${own}`)
  }
  return root
}
