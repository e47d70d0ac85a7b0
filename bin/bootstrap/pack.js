/**
 * `node bin/bootstrap/pack.js before|after`, called by npm around `npm pack`: before, the build becomes that of a package,
 * and package.json names what its users install; after, both are as they were.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ensureBuilt } from './build.js'
import { shippedBundles } from './entries.js'

const ROOT = new URL('../../', import.meta.url)
const DIST = fileURLToPath(new URL('dist', ROOT))
const MANIFEST = new URL('package.json', ROOT)
/** The package.json of the checkout while npm packs. */
const KEPT = join(DIST, 'package.json.kept')

/** Packages that are not in the bundles, each for some verbs. The database of the reference is installed where it can be. */
const OPTIONAL = ['libsql']
const PEERS = ['esbuild', 'playwright-core', 'zeromq']

/**
 * The package.json of the package: without the packages that its bundles contain, and without scripts of a checkout.
 * @param {Record<string, any>} manifest
 */
export function publishedManifest({ scripts, allowScripts, ...manifest }) {
  const versions = { ...manifest.devDependencies, ...manifest.dependencies }
  const versionsOf = (/** @type {string[]} */ names) =>
    Object.fromEntries(names.map((name) => [name, versions[name]]))
  const isOptional = PEERS.map((name) => [name, { optional: true }])
  const { dependencies, devDependencies, ...kept } = manifest
  return {
    ...kept,
    optionalDependencies: versionsOf(OPTIONAL),
    peerDependencies: { ...versionsOf(PEERS), ...manifest.peerDependencies },
    peerDependenciesMeta: Object.fromEntries(isOptional),
  }
}

/**
 * Compresses the files of a build, and cuts its record: the inputs of a build matter only where it can be made again.
 * @param {string} build
 */
function compress(build) {
  for (const name of readdirSync(build).filter((file) => /^main\.\w+(\.map)?$/.test(file))) {
    const file = join(build, name)
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
    rmSync(file)
  }
}

/** @param {string} name */
function cutRecord(name) {
  const file = join(DIST, `${name}.json`)
  const record = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...record, files: {}, folders: {} }))
}

async function before() {
  after()
  for (const bundle of shippedBundles(ROOT)) {
    compress(await ensureBuilt(ROOT, bundle))
    cutRecord(bundle.name)
  }
  const text = readFileSync(MANIFEST, 'utf8')
  writeFileSync(KEPT, text)
  writeFileSync(MANIFEST, `${JSON.stringify(publishedManifest(JSON.parse(text)), null, 2)}\n`)
}

/** Removes the build too, which does not know its inputs any more. */
function after() {
  if (existsSync(KEPT)) writeFileSync(MANIFEST, readFileSync(KEPT))
  rmSync(DIST, { recursive: true, force: true })
}

const [, script, when] = process.argv
if (script === fileURLToPath(import.meta.url)) {
  if (when === 'before') await before()
  else after()
}
