import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const BIN = fileURLToPath(new URL('.', import.meta.url))
const MODULES = join(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')), '..')
const LOCK = { packages: { '': {}, 'node_modules/esbuild': { version: '4.0.0' } } }

/** What a command printed, and how it ended. */
export interface Said {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A checkout of Assay in a temporary directory: the real `bin`, and around it what the test puts there. */
export interface Checkout {
  readonly root: string
  /** The only directory on PATH. */
  readonly path: string
  readonly write: (file: string, text: string) => void
  readonly read: (file: string) => string
  /** Gives what is started from now on one more environment variable. */
  readonly setting: (name: string, value: string) => void
  /** Puts a shell script on PATH. */
  readonly program: (name: string, script: string) => void
  /** Takes a program from PATH. */
  readonly remove: (name: string) => void
  /** Starts `node bin/<words>` from another directory; `out` is a file that takes what it says. */
  readonly start: (words: readonly string[], out?: number) => ChildProcess
  readonly node: (...words: readonly string[]) => Promise<Said>
}

async function listen(child: ChildProcess): Promise<Said> {
  const said = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    said.err += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...said }
}

/** Kills a command with all that it has started, when a failing test has left it running. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended, as it should.
  }
}

/** Lends the packages of this repository to a checkout, under the lock file that was written for it. */
export function lendPackages({ root }: Checkout): void {
  mkdirSync(join(root, 'node_modules'))
  for (const name of ['esbuild', '@esbuild', 'yaml']) {
    symlinkSync(join(MODULES, name), join(root, 'node_modules', name))
  }
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify(LOCK))
}

/** A checkout without packages, whose swtpm and tpm2-tools are there and whose npm does nothing but note its words. */
export function makeCheckout(): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'bin-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'path')
  for (const directory of ['path', 'elsewhere']) mkdirSync(join(root, directory))
  cpSync(BIN, join(root, 'bin'), { recursive: true, filter: (file) => !file.endsWith('.ts') })
  const write: Checkout['write'] = (file, text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const program: Checkout['program'] = (name, script) => {
    write(`path/${name}`, `#!/bin/sh\n${script}\n`)
    chmodSync(join(path, name), 0o755)
  }
  const more: Record<string, string> = {}
  const start: Checkout['start'] = ([script = '', ...words], out) => {
    const child = spawn(process.execPath, [join(root, 'bin', script), ...words], {
      cwd: join(root, 'elsewhere'),
      env: { HOME: root, PATH: path, ...more },
      detached: true,
      stdio: ['pipe', out ?? 'pipe', 'pipe'],
    })
    onTestFinished(() => killGroup(child))
    return child
  }
  const engines = { node: '^20.19 || >=22.12' }
  write('package.json', JSON.stringify({ type: 'module', version: '1.2.3', engines }))
  write('package-lock.json', JSON.stringify(LOCK))
  write('tsconfig.base.json', '{}')
  for (const name of ['swtpm', 'tpm2_quote']) program(name, ':')
  program('npm', `echo "$@" >> ${root}/npm.words`)
  return {
    root,
    path,
    write,
    program,
    setting: (name, value) => {
      more[name] = value
    },
    remove: (name) => rmSync(join(path, name)),
    start,
    read: (file) => readFileSync(join(root, file), 'utf8'),
    node: (...words) => listen(start(words)),
  }
}
