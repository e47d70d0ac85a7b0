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

/** Exit code and output of a command. */
interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A checkout of Assay in a temporary directory: the real `bin`, and files that the test writes. */
export interface Checkout {
  readonly root: string
  /** The only directory on PATH. */
  readonly path: string
  readonly write: (file: string, text: string) => void
  readonly read: (file: string) => string
  /** Sets an environment variable for programs that are started from now on. */
  readonly setting: (name: string, value: string) => void
  /** Puts a shell script on PATH. */
  readonly program: (name: string, script: string) => void
  /** Removes a program from PATH. */
  readonly remove: (name: string) => void
  /** Starts `node bin/<words>` from another directory; `out` is a file descriptor for its standard output. */
  readonly start: (words: readonly string[], out?: number) => ChildProcess
  readonly node: (...words: readonly string[]) => Promise<CommandResult>
}

async function collect(child: ChildProcess): Promise<CommandResult> {
  const output = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.err += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Kills a command and its children, in case a failing test has left them running. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes have ended.
  }
}

/** Links the packages of this repository into a checkout, with a matching lock file. */
export function linkPackages({ root }: Checkout): void {
  mkdirSync(join(root, 'node_modules'))
  for (const name of ['esbuild', '@esbuild', 'yaml']) {
    symlinkSync(join(MODULES, name), join(root, 'node_modules', name))
  }
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify(LOCK))
}

/** A checkout without packages, with stubs of swtpm and tpm2-tools and an npm that only records its arguments. */
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
    node: (...words) => collect(start(words)),
  }
}
