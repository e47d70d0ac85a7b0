import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { SetupFault } from '../../conformance/input/fault.ts'
import { makeDirectory } from '../../conformance/input/make-directory.ts'
import type { Console } from '../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../conformance/report/console/present-times.ts'
import { UPSTREAM } from './upstream.ts'

/** Paths of the programs and configuration templates of the upstream release. */
export interface PythonEnvironment {
  /** Such as `7.14.3`. */
  readonly release: string
  /** Absolute path; its `bin` contains `keylime_verifier` and the other programs. */
  readonly directory: string
  readonly templates: string
}

const INSTALL_MS = 10 * 60_000
const LAST_LINES = 3

/** A directory outside the repository, named after the release and kept between runs. */
export function environmentDirectory(
  env: Readonly<Record<string, string | undefined>>,
  release: string = UPSTREAM.version,
): string {
  const cache = env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return join(env['ASSAY_INTEROP_HOME'] ?? join(cache, 'assay'), `keylime-${release}`)
}

const execute = promisify(execFile)

interface Failed extends Error {
  readonly stdout?: string
  readonly stderr?: string
}

/** Runs a program and returns its output. Throws a {@link SetupFault} with the last lines of a program that fails. */
async function run(program: string, words: readonly string[], next: string): Promise<string> {
  try {
    return (await execute(program, words, { timeout: INSTALL_MS })).stdout.trim()
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Failed
    const lines = `${stderr}${stdout}`.trim().split('\n').slice(-LAST_LINES)
    const reason = lines.join(' / ') || message
    throw new SetupFault(`${program} ${words.slice(0, 3).join(' ')} failed: ${reason}`, { next })
  }
}

/** Throws a {@link SetupFault} if Python is too old for the release. */
async function checkPython(): Promise<void> {
  const { python3 } = UPSTREAM.debian
  const found = await run(
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

async function install(
  directory: string,
  version: string,
  { does }: Pick<Console, 'does'>,
): Promise<void> {
  const { package: name, requirements, debian } = UPSTREAM
  const pinned = `${name}==${version}`
  const pip = join(directory, 'bin', 'pip')
  const source = join(directory, 'source')
  const registry = 'check that the Python package registry is reachable'
  const pure = ['--quiet', '--no-deps', '--no-build-isolation', '--no-binary', ':all:']
  const archive = join(source, `${name}-${version}.tar.gz`)
  mkdirSync(source)
  const steps: readonly (readonly [program: string, words: readonly string[], next: string])[] = [
    ['python3', ['-m', 'venv', directory], `apt-get install ${debian.venv}`],
    [pip, ['install', '--quiet', pinned, ...requirements], registry],
    [pip, ['install', '--quiet', 'setuptools', 'wheel'], registry],
    [pip, ['download', ...pure, '--dest', source, pinned], registry],
    ['tar', ['-xzf', archive, '-C', source], 'apt-get install tar'],
  ]
  for (const [at, [program, words, next]] of steps.entries()) {
    const step = `  ${basename(program)} ${words[0]}, step ${at + 1} of ${steps.length}`
    does((ms) => `${step}, ${wholeSeconds(ms)}`)
    await run(program, words, next)
  }
  writeStub(directory)
}

/**
 * Creates the environment on the first call, which takes minutes; later calls reuse it. Throws a {@link SetupFault} that
 * names the missing package.
 */
export async function makePythonEnvironment(
  { say, does }: Pick<Console, 'say' | 'does'>,
  release: string = UPSTREAM.version,
): Promise<PythonEnvironment> {
  const directory = environmentDirectory(process.env, release)
  const done = join(directory, 'complete')
  const templates = join(directory, 'source', `${UPSTREAM.package}-${release}`, 'templates')
  if (existsSync(done)) return { release, directory, templates }
  await checkPython()
  say(`installing ${UPSTREAM.package} ${release} in ${directory}`)
  rmSync(directory, { recursive: true, force: true })
  makeDirectory(directory)
  await install(directory, release, { does })
  writeFileSync(done, '')
  return { release, directory, templates }
}
