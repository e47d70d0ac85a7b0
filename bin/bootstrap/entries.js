import { existsSync } from 'node:fs'

/** @param {readonly string[]} tools */
function toolEntries(tools) {
  return Object.fromEntries(tools.map((tool) => [tool, `tools/${tool}/main.ts`]))
}

/**
 * The bundles that ship: entry points by name. Harness and reference are separate bundles, so neither loads the other's code.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const SHIPPED = {
  harness: {
    cli: 'conformance/cli.ts',
    ...toolEntries([
      'bundle',
      'certify',
      'demo',
      'explore',
      'fuzz',
      'inspect',
      'interop',
      'load',
      'look',
      'openapi',
      'playground',
      'vectors',
      'watch',
    ]),
  },
  reference: {
    main: 'reference/main.ts',
    'evaluation-worker': 'reference/verifier/evaluation/evaluation-worker.ts',
  },
}

/** Worker threads of development programs. */
const DEVELOPMENT_THREADS = {
  'evaluation-worker': 'reference/verifier/evaluation/evaluation-worker.ts',
  'ima-worker': 'reference/dev/bench/ima-worker.ts',
}

/**
 * @param {URL} root
 * @param {Readonly<Record<string, string>>} entries
 */
function present(root, entries) {
  return Object.fromEntries(
    Object.entries(entries).filter(([, source]) => existsSync(new URL(source, root))),
  )
}

/**
 * Returns a bundle that ships; undefined if this checkout does not contain its sources.
 * @param {URL} root the folder of package.json
 * @param {string} name
 * @returns {import('./build.js').Bundle | undefined}
 */
export function shippedBundle(root, name) {
  const entries = present(root, SHIPPED[name] ?? {})
  if (Object.keys(entries).length === 0) return undefined
  return { name, entries, ...(name === 'harness' ? { data: 'conformance/catalogue' } : {}) }
}

/**
 * Returns all bundles that ship and whose sources this checkout contains.
 * @param {URL} root the folder of package.json
 */
export function shippedBundles(root) {
  return Object.keys(SHIPPED).flatMap((name) => shippedBundle(root, name) ?? [])
}

/**
 * Returns the bundle of a development program, such as a benchmark.
 * @param {URL} root the folder of package.json
 * @param {string} source path of its file from the root
 * @returns {import('./build.js').Bundle}
 */
export function developmentBundle(root, source) {
  const name = `dev-${source.replace(/\.ts$/, '').replaceAll('/', '-')}`
  const threads = source.startsWith('reference/') ? present(root, DEVELOPMENT_THREADS) : {}
  return { name, entries: { main: source, ...threads } }
}
