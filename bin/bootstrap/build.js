import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reflectFirst, scenarioIndex } from './esbuild-plugins.js'
import { PACKAGES_MISSING, Stop } from './stop.js'

/** Increase it when the format of the record or the options of esbuild change. */
const FORMAT = 2

/** Old builds are kept for a day, because a running process may still load code from them. */
const KEEP_MS = 86_400_000

/** File systems round times; a file that changed this shortly before a build counts as changed during it. */
const CLOCK_STEP_MS = 20

const ATTEMPTS = 3

/** Packages that are loaded from node_modules: native packages, and packages of tests. */
const EXTERNAL = [
  ...['libsql', 'zeromq', 'pg-native', 'esbuild', 'typescript', 'playwright-core'],
  ...['@electric-sql/pglite', 'vitest', 'vitest/*', '@stryker-mutator/*'],
]

/** File name of a build. A program with a top-level await can only be an ES module. */
export const BUILD_FILE = 'main.cjs'
export const MODULE_FILE = 'main.mjs'

/**
 * A build is one file with one function, like a CommonJS module, because V8 can cache the compiled code of such a file
 * (load-build.js). CommonJS has no `import.meta.url`, so it is defined.
 */
const COMMONJS = /** @type {const} */ ({
  format: 'cjs',
  outfile: `dist/build/${BUILD_FILE}`,
  define: { 'import.meta.url': 'assayUrl' },
  // A script with cached code cannot use `import()`, so packages outside the build are required.
  supported: { 'dynamic-import': false },
  banner: {
    js:
      '(function(exports,require,module,__filename,__dirname){"use strict";' +
      "const assayUrl=require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
})

/** CommonJS packages call `require`, which an ES module does not have. */
const MODULE = /** @type {const} */ ({
  format: 'esm',
  outfile: `dist/build/${MODULE_FILE}`,
  banner: {
    js: "import{createRequire as assayRequire}from'node:module';const require=assayRequire(import.meta.url);",
  },
})

const NEEDS_MODULE = /Top-level await/

/**
 * Inputs of a build, by path from the root: size and change time of each file, change time of each folder. A build is
 * current while all of them are unchanged.
 * @typedef {{ format: number, build: string, files: Record<string, readonly [size: number, changed: number]>, folders: Record<string, number> }} BuildRecord
 *
 * One bundle: its name, which is also the name of its record; its entry points, name -> source file; and a folder of YAML
 * files that it contains as JSON.
 * @typedef {{ name: string, entries: Readonly<Record<string, string>>, data?: string }} Bundle
 *
 * A file of a build.
 * @typedef {{ path: string, contents: Uint8Array | string }} Output
 */

/**
 * @param {string} file
 * @returns {BuildRecord | undefined}
 */
function readRecord(file) {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'))
    return record.format === FORMAT ? record : undefined
  } catch {
    // There is no build yet, or another version of Assay wrote the record.
    return undefined
  }
}

/** @param {string} path */
function stampOf(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? undefined : { size: found.size, changed: found.ctimeMs }
}

/**
 * Whether all inputs of a build are unchanged.
 * @param {BuildRecord} record
 * @param {string} root
 */
function isCurrent({ files, folders }, root) {
  for (const path in files) {
    const stamp = stampOf(join(root, path))
    const [size, changed] = files[path] ?? []
    if (stamp?.size !== size || stamp?.changed !== changed) return false
  }
  for (const path in folders) {
    if (stampOf(join(root, path))?.changed !== folders[path]) return false
  }
  return true
}

/**
 * @param {readonly string[]} paths
 * @param {string} root
 * @returns {BuildRecord['files']}
 */
function stampFiles(paths, root) {
  /** @type {Record<string, readonly [number, number]>} */
  const files = {}
  for (const path of paths) {
    const stamp = stampOf(join(root, path))
    files[path] = [stamp?.size ?? 0, stamp?.changed ?? 0]
  }
  return files
}

/**
 * Change times of folders whose files are discovered: a new file there is an input of the build although no module imports it.
 * @param {string} root
 * @param {readonly string[]} tops
 */
function stampFolders(root, tops) {
  /** @type {Record<string, number>} */
  const folders = {}
  for (const top of tops.filter((path) => existsSync(join(root, path)))) {
    const below = readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .map((path) => join(top, path))
      .filter((path) => statSync(join(root, path)).isDirectory())
    for (const folder of [top, ...below])
      folders[folder] = stampOf(join(root, folder))?.changed ?? 0
  }
  return folders
}

/**
 * The YAML files of a folder as JSON, named by their paths. `dist/data` caches earlier conversions.
 * @param {string} root
 * @param {string | undefined} folder
 * @returns {Promise<{ sources: string[], outputs: Output[] }>}
 */
async function copyData(root, folder) {
  if (folder === undefined || !existsSync(join(root, folder))) return { sources: [], outputs: [] }
  const cache = join(root, 'dist', 'data')
  mkdirSync(cache, { recursive: true })
  const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => join(folder, path))
  const outputs = await Promise.all(
    sources.map(async (path) => ({
      path: `${path.replaceAll(sep, '-')}.json`,
      contents: await jsonOf(readFileSync(join(root, path), 'utf8'), cache, path),
    })),
  )
  return { sources, outputs }
}

/**
 * @param {string} text
 * @param {string} cache
 * @param {string} path for the error message
 */
async function jsonOf(text, cache, path) {
  const file = join(cache, `${createHash('sha256').update(text).digest('hex')}.json`)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const { parse } = await import('yaml')
  try {
    const json = JSON.stringify(parse(text))
    writeWhole(file, json)
    return json
  } catch (error) {
    throw new Stop(`cannot parse ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Inputs of every build in addition to sources: the code that builds, and the lock files, which stand for the packages. */
const ALWAYS = [
  ...['package-lock.json', 'node_modules/.package-lock.json'],
  ...['build', 'entries', 'esbuild-plugins'].map((name) => `bin/bootstrap/${name}.js`),
]

/**
 * Text of a module that loads one entry point on demand; the other entry points do not run.
 * @param {Bundle['entries']} entries
 */
function entryText(entries) {
  const rows = Object.entries(entries).map(
    ([name, source]) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`./${source}`)})`,
  )
  return `export const entries = { ${rows.join(', ')} }`
}

/**
 * @param {string} root
 * @param {Bundle} bundle
 */
async function bundleOnce(root, { entries, data }) {
  const { build } = await import('esbuild')
  const before = stampFolders(root, ['scenarios', ...(data === undefined ? [] : [data])])
  const began = Date.now() - CLOCK_STEP_MS
  const copies = await copyData(root, data)
  /** @satisfies {import('esbuild').BuildOptions} */
  const options = {
    absWorkingDir: root,
    stdin: { contents: entryText(entries), resolveDir: root },
    bundle: true,
    write: /** @type {const} */ (false),
    metafile: /** @type {const} */ (true),
    platform: /** @type {const} */ ('node'),
    target: 'node20',
    mainFields: ['module', 'main'],
    external: EXTERNAL,
    tsconfigRaw: {},
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: /** @type {const} */ ('linked'),
    sourcesContent: false,
    logLevel: /** @type {const} */ ('silent'),
    plugins: [scenarioIndex(join(root, 'scenarios')), reflectFirst],
  }
  const { outputFiles, metafile } = await build({ ...options, ...COMMONJS }).catch((error) => {
    if (!NEEDS_MODULE.test(String(error))) throw error
    return build({ ...options, ...MODULE })
  })
  const inputs = Object.keys(metafile.inputs)
    .filter((path) => !path.includes('node_modules/') && existsSync(join(root, path)))
    .concat(copies.sources)
    .concat(ALWAYS.filter((path) => existsSync(join(root, path))))
  const files = stampFiles(inputs, root)
  // Development programs contain the scenarios only if they discover them.
  const folders = inputs.some((path) => path.startsWith('scenarios/')) ? before : {}
  const isSettled = Object.values(files).every(([, changed]) => changed < began)
  return { outputs: [...outputFiles, ...copies.outputs], files, folders, isSettled }
}

/**
 * Bundles again if an input changed during the build, because either text may have been read.
 * @param {string} root
 * @param {Bundle} bundle
 */
async function bundleSettled(root, bundle) {
  let made = await bundleOnce(root, bundle)
  for (let attempt = 1; attempt < ATTEMPTS && !made.isSettled; attempt++)
    made = await bundleOnce(root, bundle)
  return made
}

/**
 * Writes the files into a folder that is named after the hash of their contents, unless it exists.
 * @param {string} dist
 * @param {string} name
 * @param {readonly Output[]} outputs
 */
function writeBuild(dist, name, outputs) {
  const hash = createHash('sha256')
  for (const { path, contents } of outputs) hash.update(basename(path)).update(contents)
  const build = `${name}-${hash.digest('hex').slice(0, 16)}`
  if (existsSync(join(dist, build))) return build
  const unfinished = mkdtempSync(join(dist, '.building-'))
  for (const { path, contents } of outputs)
    writeFileSync(join(unfinished, basename(path)), contents)
  try {
    renameSync(unfinished, join(dist, build))
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process has written the same build in the meantime.
    if (!existsSync(join(dist, build))) throw error
  }
  return build
}

/**
 * Removes builds of this name that are too old to be in use.
 * @param {string} dist
 * @param {string} name
 * @param {string} current
 */
function removeOldBuilds(dist, name, current) {
  for (const entry of readdirSync(dist)) {
    if (entry === current || !(entry.startsWith(`${name}-`) || entry.startsWith('.building-')))
      continue
    const path = join(dist, entry)
    if ((stampOf(path)?.changed ?? Number.POSITIVE_INFINITY) < Date.now() - KEEP_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/**
 * Writes a file atomically.
 * @param {string} file
 * @param {string} text
 */
function writeWhole(file, text) {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

/** @param {any} error */
function buildFault(error) {
  if (error instanceof Stop) return error
  if (error?.code === 'ERR_MODULE_NOT_FOUND') return PACKAGES_MISSING
  const [first] = Array.isArray(error?.errors) ? error.errors : []
  if (first === undefined) {
    const why = error instanceof Error ? error.message : String(error)
    return new Stop(`cannot write the build: ${why}`, 'make dist/ writable, or free disk space')
  }
  const { file, line, column } = first.location ?? {}
  const place = file === undefined ? '' : `${file}:${line}:${column + 1}: `
  return new Stop(`cannot build the sources: ${place}${first.text}`)
}

/**
 * Returns the folder of an up-to-date build of the sources, and builds them first if an input has changed since the last
 * build. Throws a {@link Stop} with file and line if a source cannot be built.
 * @param {URL} rootUrl the folder of package.json
 * @param {Bundle} bundle
 * @returns {Promise<string>} an absolute path
 */
export async function ensureBuilt(rootUrl, bundle) {
  const root = fileURLToPath(rootUrl)
  const dist = join(root, 'dist')
  const file = join(dist, `${bundle.name}.json`)
  const known = readRecord(file)
  if (known !== undefined && existsSync(join(dist, known.build)) && isCurrent(known, root))
    return join(dist, known.build)
  try {
    mkdirSync(dirname(file), { recursive: true })
    const { outputs, files, folders } = await bundleSettled(root, bundle)
    const build = writeBuild(dist, bundle.name, outputs)
    writeWhole(file, JSON.stringify({ format: FORMAT, build, files, folders }))
    removeOldBuilds(dist, bundle.name, build)
    return join(dist, build)
  } catch (error) {
    throw buildFault(error)
  }
}

/**
 * Returns the folder of the build that a package contains; undefined if it contains none.
 * @param {URL} rootUrl the folder of package.json
 * @param {string} name
 */
export function shippedBuild(rootUrl, name) {
  const dist = fileURLToPath(new URL('dist/', rootUrl))
  const record = readRecord(join(dist, `${name}.json`))
  return record === undefined ? undefined : join(dist, record.build)
}
