import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { lastLines, runQuietly } from './run-quietly.js'
import { Stop } from './stop.js'

const APT = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

/** How other systems install: the program that tells the system, and what to type. */
const MANAGERS = [
  ['apt-get', 'apt-get install -y --no-install-recommends'],
  ['dnf', 'dnf install -y'],
  ['zypper', 'zypper install -y'],
  ['pacman', 'pacman -S'],
  ['apk', 'apk add'],
]

/**
 * @param {string} program
 * @param {string} path
 */
function isOnPath(program, path) {
  return path.split(delimiter).some((directory) => {
    const file = join(directory || '.', program)
    try {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    } catch {
      // Not in this directory; the next may have it.
      return false
    }
  })
}

const POSTGRES = '/usr/lib/postgresql'

/** PATH, and where Debian keeps the programs of a PostgreSQL server, by version. */
function searchPath() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  const more = versions.map((version) => join(POSTGRES, version, 'bin'))
  return [process.env.PATH ?? '', ...more].join(delimiter)
}

/**
 * What to type to install `packages` here, as the person who reads it.
 * @param {string[]} packages
 * @param {{ path: string, isRoot: boolean }} where
 */
export function commandToType(packages, { path, isRoot }) {
  const manager = MANAGERS.find(([program = '']) => isOnPath(program, path))
  const names = packages.join(' ')
  if (manager === undefined) return `install ${names} with the package manager of this system`
  return `${isRoot ? '' : 'sudo '}${manager[1]} ${names}`
}

/** @param {string[]} words */
function runApt(words) {
  return runQuietly('apt-get', words, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/** @param {string[]} packages */
async function installWithApt(packages) {
  console.error(
    `assay: installing ${packages.join(' ')}: apt-get ${APT.join(' ')} ${packages.join(' ')}`,
  )
  if ((await runApt([...APT, ...packages])).status === 0) return
  console.error('assay: that failed; once more after apt-get update')
  await runApt(['update'])
  const again = await runApt([...APT, ...packages])
  if (again.status === 0) return
  throw new Stop(
    `apt-get could not install ${packages.join(' ')}:\n${lastLines(again)}`,
    'mend what apt-get names, and run the command again',
  )
}

/**
 * Installs, when run as root on a system like Debian, the packages whose program is not on PATH; elsewhere throws a
 * {@link Stop} with the one command to type.
 * @param {Record<string, string>} programs package by program, such as `{ tpm2_quote: 'tpm2-tools' }`
 */
export async function ensureSystemPackages(programs) {
  const missing = () => Object.keys(programs).filter((program) => !isOnPath(program, searchPath()))
  const packages = missing().map((program) => programs[program] ?? program)
  if (packages.length === 0) return
  const path = process.env.PATH ?? ''
  const isRoot = process.getuid?.() === 0
  const next = commandToType(packages, { path, isRoot })
  const canInstall = isRoot && existsSync('/etc/debian_version') && isOnPath('apt-get', path)
  if (!canInstall) throw new Stop(`${packages.join(' and ')} must be installed`, next)
  await installWithApt(packages)
  const [still] = missing()
  if (still !== undefined) throw new Stop(`${still} is not on PATH although it was installed`)
}
