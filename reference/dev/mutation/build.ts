import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { applyEdits } from './apply-edits.ts'
import { instrument, type SourceMutant } from './instrument.ts'
import { type Edit, loadEdits } from './load-edits.ts'

/** Packages that a build loads from node_modules. */
const EXTERNAL = ['libsql', 'zeromq', 'pg-native', 'esbuild', '@electric-sql/pglite']

/**
 * Set before the first statement of the reference: constants are computed when their module is loaded. The first
 * argument of the process names the active mutant. `isActive` also counts coverage, as Stryker's functions do.
 */
const BANNER = `import { createRequire as assayRequire } from 'node:module';
const require = assayRequire(import.meta.url);
const assayMutation = globalThis.__stryker__ = {
  activeMutant: process.argv[2] === 'none' ? undefined : process.argv[2],
  mutantCoverage: { static: {}, perTest: {} },
  isActive(id) {
    const { currentTestId: test, mutantCoverage: { static: atStart, perTest } } = assayMutation;
    (test === undefined ? atStart : (perTest[test] ??= {}))[id] = 1;
    return assayMutation.activeMutant === id;
  },
};
`

/** A program that runs the reference with any one of its mutants. */
export interface MutatedBuild {
  /** Path of the program. */
  readonly program: string
  readonly mutants: readonly SourceMutant[]
}

/** Sources of an area, a folder or file of `reference/`, without tests and development programs. */
function sourcesOf(root: string, area: string): readonly string[] {
  const top = join('reference', area)
  if (statSync(join(root, top)).isFile()) return [top]
  return readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)(testing|dev)\//.test(name))
    .map((name) => join(top, name))
    .sort()
}

/** Gives the bundle the changed text of each file. */
function replacing(root: string, texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'mutants',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]reference[\\/].*\.ts$/ }, ({ path }) => {
        const contents = texts.get(path.slice(root.length + 1))
        return contents === undefined ? undefined : { contents, loader: 'ts' }
      })
      onLoad({ filter: /[\\/]tsyringe[\\/]dist[\\/]esm5[\\/]index\.js$/ }, ({ path }) => ({
        contents: `import 'reflect-metadata'\n${readFileSync(path, 'utf8')}`,
        loader: 'js',
      }))
    },
  }
}

/** Builds the reference with all defects of the data files in one program; of all files if none is named. */
export async function buildEdited(root: string, files: readonly string[]): Promise<MutatedBuild> {
  const edits = loadEdits(root, files)
  const condition = (id: string) => `globalThis.__stryker__.isActive(${JSON.stringify(id)})`
  const texts = new Map<string, string>()
  const mutants: SourceMutant[] = []
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const source = readFileSync(join(root, file), 'utf8')
    const own = edits.filter((edit) => edit.file === file)
    texts.set(file, applyEdits(source, own, condition).text)
    mutants.push(...own.map((edit) => mutantOf(edit, source)))
  }
  return { program: await bundle(root, texts), mutants }
}

function mutantOf(edit: Edit, source: string): SourceMutant {
  const { id, file, operator, from, to, rows } = edit
  const line = source.slice(0, source.indexOf(from)).split('\n').length
  const named = { active: id, key: id, file, line, operator, original: from, replacement: to }
  const open = edit.unspecified ?? edit.equivalent
  return { ...named, ...(rows && { rows }), ...(open !== undefined && { open }) }
}

/** Builds the reference with every mutant of the areas in one program; `root` is the folder of package.json. */
export async function buildMutated(root: string, areas: readonly string[]): Promise<MutatedBuild> {
  const texts = new Map<string, string>()
  const mutants: SourceMutant[] = []
  for (const file of new Set(areas.flatMap((area) => sourcesOf(root, area)))) {
    const instrumented = await instrument(root, file, mutants.length)
    texts.set(file, instrumented.text)
    mutants.push(...instrumented.mutants)
  }
  return { program: await bundle(root, texts), mutants }
}

async function bundle(root: string, texts: ReadonlyMap<string, string>): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['reference/dev/mutation/host.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: EXTERNAL,
    tsconfigRaw: {},
    banner: { js: BANNER },
    logLevel: 'silent',
    plugins: [replacing(root, texts)],
  })
  const text = outputFiles[0]?.text ?? ''
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const folder = join(root, 'dist', `mutation-${hash}`)
  const program = join(folder, 'main.mjs')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(program, text)
  }
  return program
}
