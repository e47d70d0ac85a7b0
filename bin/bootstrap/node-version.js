import { readFileSync } from 'node:fs'
import { Stop } from './stop.js'

/** @param {string} text */
function parseVersion(text) {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number)
  return { major, minor, patch }
}

/**
 * @param {{ major: number, minor: number, patch: number }} a
 * @param {{ major: number, minor: number, patch: number }} b
 */
function compare(a, b) {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch
}

/**
 * Whether a Node version is in a range of `^X.Y.Z` and `>=X.Y.Z` joined by `||`, the only forms used in `engines` here.
 * Throws for any other form: an unknown range must not accept every version.
 * @param {string} version such as `20.19.0`
 * @param {string} range such as `^20.19 || >=22.12`
 */
export function satisfies(version, range) {
  const wanted = parseVersion(version)
  return range.split('||').some((part) => {
    const [, sign, bound] = /^(\^|>=)(\d+(?:\.\d+){0,2})$/.exec(part.trim()) ?? []
    if (bound === undefined)
      throw new Stop(`engines.node in package.json has an unknown form: ${part}`)
    const least = parseVersion(bound)
    return compare(wanted, least) >= 0 && (sign === '>=' || wanted.major === least.major)
  })
}

/**
 * Throws a {@link Stop} if package.json does not allow this Node version.
 * @param {URL} root the folder of package.json
 * @param {string} version
 */
export function checkNode(root, version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  if (satisfies(version, engines.node)) return
  throw new Stop(
    `this is Node ${version}, and Assay needs ${engines.node}`,
    'install Node 24, or put it first on PATH, and run the command again',
  )
}
