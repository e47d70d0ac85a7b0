import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { UPSTREAM } from './upstream.ts'

/** Paths of the programs and configuration templates of the upstream release. */
export interface PythonEnvironment {
  /** Absolute path; its `bin` contains `keylime_verifier` and the other programs. */
  readonly directory: string
  readonly templates: string
}

const INSTALL_MS = 10 * 60_000
const LAST_LINES = 3

/** A directory outside the repository, named after the release and kept between runs. */
export function environmentDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const cache = env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return join(env['ASSAY_INTEROP_HOME'] ?? join(cache, 'assay'), `keylime-${UPSTREAM.version}`)
}

function run(program: string, words: readonly string[], next: string): string {
  const done = spawnSync(program, words, { encoding: 'utf8', timeout: INSTALL_MS })
  if (done.status === 0) return done.stdout.trim()
  const output = `${done.stderr ?? ''}${done.stdout ?? ''}`.trim().split('\n').slice(-LAST_LINES)
  const reason = done.error?.message ?? output.join(' / ')
  throw new SetupFault(`${program} ${words.slice(0, 3).join(' ')} failed: ${reason}`, { next })
}

/** Throws a {@link SetupFault} if Python is too old for the release. */
function checkPython(): void {
  const { python3 } = UPSTREAM.debian
  const found = run(
    'python3',
    ['-c', 'import sys; print(*sys.version_info[:2])'],
    `apt-get install ${python3}`,
  )
  const [major = 0, minor = 0] = found.split(' ').map(Number)
  const [needed, least] = UPSTREAM.python
  if (major === needed && minor >= least) return
  throw new SetupFault(`python3 is ${major}.${minor}, and Keylime needs ${needed}.${least}`, {
    next: 'put a newer python3 first on PATH',
  })
}

/** Stub of a module that the release imports and no package provides; it is used for signed policies only. */
function writeStub(directory: string): void {
  const lib = join(directory, 'lib')
  const [python = ''] = readdirSync(lib).filter((name) => name.startsWith('python'))
  const stub = join(lib, python, 'site-packages', 'gpg')
  mkdirSync(stub, { recursive: true })
  writeFileSync(join(stub, '__init__.py'), '')
}

function install(directory: string): void {
  const { package: name, version, requirements, debian } = UPSTREAM
  const release = `${name}==${version}`
  run('python3', ['-m', 'venv', directory], `apt-get install ${debian.venv}`)
  const pip = join(directory, 'bin', 'pip')
  const next = 'check that the Python package registry is reachable'
  run(pip, ['install', '--quiet', release, ...requirements], next)
  const source = join(directory, 'source')
  mkdirSync(source)
  const words = ['--quiet', '--no-deps', '--no-build-isolation', '--no-binary', ':all:']
  run(pip, ['install', '--quiet', 'setuptools', 'wheel'], next)
  run(pip, ['download', ...words, '--dest', source, release], next)
  const archive = join(source, `${name}-${version}.tar.gz`)
  run('tar', ['-xzf', archive, '-C', source], 'apt-get install tar')
  writeStub(directory)
}

/**
 * Creates the environment on the first call, which takes minutes; later calls reuse it. Throws a {@link SetupFault} that
 * names the missing package.
 */
export function makePythonEnvironment(
  directory: string,
  say: (line: string) => void,
): PythonEnvironment {
  const done = join(directory, 'complete')
  const templates = join(
    directory,
    'source',
    `${UPSTREAM.package}-${UPSTREAM.version}`,
    'templates',
  )
  if (existsSync(done)) return { directory, templates }
  checkPython()
  say(`installing ${UPSTREAM.package} ${UPSTREAM.version} in ${directory}`)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  install(directory)
  writeFileSync(done, '')
  return { directory, templates }
}
