import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { reportWhile } from './report-while.js'
import { lastLines, runQuietly } from './run-quietly.js'
import { Stop } from './stop.js'

const APT = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

/** Package managers: the program that identifies the system, and the install command. */
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
      // Not in this directory.
      return false
    }
  })
}

const POSTGRES = '/usr/lib/postgresql'

/** PATH, and Debian's versioned folders with the programs of a PostgreSQL server. */
function searchPath() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : []
  const more = versions.map((version) => join(POSTGRES, version, 'bin'))
  return [process.env.PATH ?? '', ...more].join(delimiter)
}

/**
 * The command that installs `packages` on this system, with sudo for users other than root.
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const work = runQuietly('apt-get', words, { env })
  return reportWhile(work, (seconds) => `assay: apt-get ${words[0]}, ${seconds} s`)
}

/** @param {string[]} packages */
async function installWithApt(packages) {
  console.error(
    `assay: installing ${packages.join(' ')}: apt-get ${APT.join(' ')} ${packages.join(' ')}`,
  )
  if ((await runApt([...APT, ...packages])).status === 0) return
  console.error('assay: apt-get install failed; trying again after apt-get update')
  await runApt(['update'])
  const again = await runApt([...APT, ...packages])
  if (again.status === 0) return
  throw new Stop(
    `apt-get could not install ${packages.join(' ')}:\n${lastLines(again)}`,
    'fix the problem that apt-get reports, and run the command again',
  )
}

/**
 * Installs the packages whose program is not on PATH if run as root on Debian or a derivative; otherwise throws a
 * {@link Stop} with the install command.
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
