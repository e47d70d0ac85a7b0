import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { buildSync } from 'esbuild'
import { packageRoot } from '../package-root.ts'
import type { Ending } from './command.ts'

const ROOT = packageRoot()
const DIST = join(ROOT, 'dist')

/** What an earlier build left of sources that are gone, such as a scenario that would still be found. */
function removeOrphans(): void {
  const built = existsSync(DIST) ? readdirSync(DIST, { recursive: true, encoding: 'utf8' }) : []
  const orphans = built.filter(
    (file) => file.endsWith('.js') && !existsSync(join(ROOT, file.replace(/\.js$/, '.ts'))),
  )
  // Another test file may be building at this time.
  for (const file of orphans) rmSync(join(DIST, file), { force: true })
}

/**
 * Compiles what has changed since the last time, unless `ASSAY_BUILT` says that nothing has. Processes that run what was
 * compiled start in a third of the time.
 */
export function build(): void {
  removeOrphans()
  if ((process.env['ASSAY_BUILT'] ?? '') === '') compile()
  bundle('mutants/main', 'mutants.mjs')
  bundle('mutants/host', 'mutant-host.mjs')
}

/** Puts what ships into one file, and its threads into another beside it: `ASSAY_BUILT=bundled` has the command run that. */
export function bundleReference(): void {
  bundle('main', 'bundled/reference/main.mjs')
  bundle('verifier/evaluation/evaluation-worker', 'bundled/reference/evaluation-worker.mjs')
}

function compile(): void {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-b'], { cwd: ROOT, stdio: 'pipe' })
}

/**
 * Puts the hundreds of modules of an entry point of `reference/` into one file. A file that says the same already
 * stays as it is, as processes may be starting from it.
 */
function bundle(entry: string, name: string): void {
  const { outputFiles } = buildSync({
    entryPoints: [join(DIST, 'reference', `${entry}.js`)],
    outfile: join(DIST, name),
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // A native module is found beside the packages.
    external: ['libsql'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)",
    },
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) writeWhole(path, contents)
}

/** Writes a file that is never there in part. */
function writeWhole(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  const beside = `${path}.${process.pid}-${threadId}`
  writeFileSync(beside, contents)
  renameSync(beside, path)
}

const CLI = pathToFileURL(join(DIST, 'conformance', 'cli.js')).href
const START = `import { main } from ${JSON.stringify(CLI)}
process.exit(await main(process.argv.slice(1)))`

/** Runs the judge's command as it was built. */
export function runBuilt(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ending> {
  const words = ['--input-type=module', '--eval', START, '--', ...argv]
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
