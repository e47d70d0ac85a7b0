import { type SpawnOptions, spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../input/fault.ts'
import { packageRoot } from '../../input/package-root.ts'

const LINKED = ['bin', 'fixtures', 'reference', 'conformance', 'scenarios', 'package.json'] as const
const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')
const POLL_MS = 50

function quoteText(name: string): string {
  const parts = ['attest', 'sig', 'pcrs'].map((part) => readFileSync(join(BOOT, `${name}.${part}`)))
  return `r${parts.map((bytes) => bytes.toString('base64')).join(':')}`
}

/** Files that the documents name, made from the recorded boot. */
function writeExamples(directory: string): void {
  const copies = {
    'ak.pem': 'ak_rsa.pem',
    'ak.tpm2b_public': 'ak_rsa.tpm2b_public',
    ascii_runtime_measurements: 'ascii_after_tools',
    binary_bios_measurements: 'binary_bios_measurements',
    'pcrs.txt': 'pcrs_after_tools.txt',
    'ekcert.der': 'ekcert_1c00002.der',
    'makers.pem': 'swtpm-localca-rootca-cert.pem',
  }
  for (const [name, source] of Object.entries(copies))
    copyFileSync(join(BOOT, source), join(directory, name))
  writeFileSync(join(directory, 'quote.txt'), quoteText('rsassa_sha256_10'))
  const target = readFileSync(join(packageRoot(), 'reference', 'assay.target.yaml'), 'utf8')
  writeFileSync(join(directory, 'ours.target.yaml'), target.replaceAll('../', `${packageRoot()}/`))
}

/** Ends a process group, which may have ended by itself in the same moment. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** The directory of a user of this checkout; `run` and `start` work in it. */
export interface UserDirectory {
  readonly path: string
  /** Runs a line of shell to its end. */
  run(line: string): Promise<{ readonly code: number | null; readonly output: string }>
  /** Starts a line of shell, and resolves when its output contains the text. */
  start(line: string, text: string): Promise<void>
  /** Ends what still runs, the last first, and removes the directory. */
  close(): Promise<void>
}

/** Makes a directory in which the commands of the documents run as in a clone. */
export function openUserDirectory(): UserDirectory {
  const path = mkdtempSync(join(tmpdir(), 'assay-user-'))
  for (const name of LINKED) symlinkSync(join(packageRoot(), name), join(path, name))
  mkdirSync(join(path, 'tmp'))
  writeExamples(path)
  const options = {
    cwd: path,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  } as const satisfies SpawnOptions
  const stops: (() => Promise<void>)[] = []
  const launch = (line: string) => {
    const child = spawn('bash', ['-c', line], options)
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const isOver = () => child.exitCode !== null || child.signalCode !== null
    stops.push(async () => {
      if (!isOver() && child.pid !== undefined) endGroup(child.pid)
      await ended
    })
    return { ended, isOver, output: () => output }
  }
  return {
    path,
    async run(line) {
      const { ended, output } = launch(line)
      return { code: await ended, output: output() }
    },
    async start(line, text) {
      const { isOver, output } = launch(line)
      while (!output().includes(text)) {
        if (isOver()) throw new Error(`${line} ended before it printed ${text}:\n${output()}`)
        await pause(POLL_MS)
      }
    },
    async close() {
      for (const stop of stops.reverse()) await stop()
      rmSync(path, { recursive: true, force: true })
    },
  }
}
