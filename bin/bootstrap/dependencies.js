import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reportWhile } from './report-while.js'
import { lastLines, runQuietly } from './run-quietly.js'
import { Stop } from './stop.js'

/**
 * The members of a package in a lock file that are read here.
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: readonly string[], cpu?: readonly string[], libc?: readonly string[] }} Locked
 * @typedef {{ platform: string, arch: string, libc: string }} Machine
 */

/** @returns {Machine} */
function thisMachine() {
  const { header } = /** @type {any} */ (process.report.getReport())
  const libc = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  return { platform: process.platform, arch: process.arch, libc }
}

/**
 * npm's rule for `os`, `cpu` and `libc`: a list of accepted values, or of rejected values with a `!` each.
 * @param {readonly string[] | undefined} list
 * @param {string} value
 */
function admits(list, value) {
  if (list === undefined || list.includes(value)) return true
  return list.every((word) => word.startsWith('!')) && !list.includes(`!${value}`)
}

/**
 * Optional packages may be absent, except a native package for this platform.
 * @param {Locked} locked
 * @param {Machine} machine
 */
function isNeeded(locked, machine) {
  const isNative = locked.os !== undefined || locked.cpu !== undefined
  const fits =
    admits(locked.os, machine.platform) &&
    admits(locked.cpu, machine.arch) &&
    (machine.platform !== 'linux' || admits(locked.libc, machine.libc))
  return locked.optional ? isNative && fits : true
}

/**
 * Returns the path of the first package that is missing or has another version than in package-lock.json; undefined if none.
 * @param {Record<string, Locked>} wanted packages by path, from package-lock.json
 * @param {Record<string, Locked>} installed packages by path, from node_modules/.package-lock.json
 * @param {{ withDev: boolean, machine: Machine, isThere?: (path: string) => boolean }} how
 */
export function findStale(wanted, installed, { withDev, machine, isThere = () => true }) {
  return Object.keys(wanted).find((path) => {
    const locked = wanted[path] ?? {}
    if (path === '' || (locked.dev === true && !withDev)) return false
    const present = installed[path]
    if (present === undefined) return isNeeded(locked, machine)
    return present.version !== locked.version || !isThere(path)
  })
}

/**
 * @param {URL} file
 * @returns {Record<string, Locked>}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    // The file is absent before the first install and truncated after an interrupted one: nothing is installed.
    return {}
  }
}

/**
 * Whether npm installs a package, as far as the lock file tells.
 * @param {Locked | undefined} locked
 * @param {readonly string[]} words of npm
 */
function isInstalled(locked, words) {
  if (locked?.version === undefined || (locked.dev === true && words.includes('--omit=dev')))
    return false
  return isNeeded({ ...locked, optional: locked.os !== undefined }, thisMachine())
}

/** @param {string} path */
function nameOf(path) {
  return path.replace(/^.*node_modules\//, '')
}

/**
 * @param {URL} root
 * @param {string[]} words
 */
function runNpm(root, words) {
  const own = process.env.npm_execpath
  const [command, first] = own?.endsWith('npm-cli.js') ? [process.execPath, [own]] : ['npm', []]
  return runQuietly(command, [...first, ...words], { cwd: fileURLToPath(root) })
}

/**
 * Installs the packages of package-lock.json if a required one is missing or has another version, and prints one line.
 * Throws a {@link Stop} with npm's last lines if npm fails.
 * @param {URL} root the folder of package-lock.json
 * @param {{ withDev: boolean }} how
 */
export async function ensureDependencies(root, { withDev }) {
  const wanted = readPackages(new URL('package-lock.json', root))
  const installed = readPackages(new URL('node_modules/.package-lock.json', root))
  const isThere = (/** @type {string} */ path) => existsSync(new URL(`${path}/package.json`, root))
  const stale = findStale(wanted, installed, { withDev, machine: thisMachine(), isThere })
  if (stale === undefined) return
  const hasDev = Object.values(installed).some(({ dev }) => dev === true)
  const words = withDev || hasDev ? ['ci', '--include=dev'] : ['ci', '--omit=dev']
  const why = Object.keys(installed).length === 0 ? '' : ` (${nameOf(stale)} is missing or stale)`
  console.error(`assay: installing the packages of package-lock.json${why}: npm ${words.join(' ')}`)
  const paths = Object.keys(wanted).filter((path) => isInstalled(wanted[path], words))
  const howFar = (/** @type {number} */ seconds) =>
    `assay: npm ci: ${paths.filter(isThere).length} of ${paths.length} packages, ${seconds} s`
  const result = await reportWhile(runNpm(root, words), howFar)
  if (result.status === 0) return
  if (result.error?.code === 'ENOENT') {
    throw new Stop(
      'npm is not on PATH',
      'install npm (it is part of Node), and run the command again',
    )
  }
  throw new Stop(
    `npm ${words.join(' ')} failed:\n${lastLines(result)}`,
    'fix the problem that npm reports (often the network or the registry), and run the command again',
  )
}
