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
import { codeOf } from '../../input/fault.ts'
import { packageRoot } from '../../input/package-root.ts'
import { type Running, startProgram } from '../command.ts'

const LINKED = [
  ...([
    'bin',
    'fixtures',
    'reference',
    'conformance',
    'scenarios',
    'tools',
    'package.json',
  ] as const),
]
const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')

/** A network with a loopback interface alone, which any user may make on most systems. */
const NETWORK = ['unshare', '--user', '--map-root-user', '--net', 'bash', '-c']
const ENTER = ['--user', '--net', '--preserve-credentials']

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
    'ours.tar': 'binary_bios_measurements',
    'makers.pem': 'swtpm-localca-rootca-cert.pem',
  }
  for (const [name, source] of Object.entries(copies))
    copyFileSync(join(BOOT, source), join(directory, name))
  writeFileSync(join(directory, 'quote.txt'), quoteText('rsassa_sha256_10'))
  const target = readFileSync(join(packageRoot(), 'reference', 'assay.target.yaml'), 'utf8')
  writeFileSync(join(directory, 'ours.target.yaml'), target.replaceAll('../', `${packageRoot()}/`))
}

/** Ends a process group, which may have ended by itself in the same moment. */
async function endGroup({ child, ended }: Running): Promise<void> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  try {
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
  await ended
}

/** The directory of a user of this checkout; `run` and `start` work in it. */
export interface UserDirectory {
  readonly path: string
  /** Runs a line of shell to its end. */
  run(line: string): Promise<{ readonly code: number | null; readonly output: string }>
  /** Gives the directory a network of its own, whose ports are all free; without the rights for one it keeps the machine's. */
  isolate(): Promise<void>
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
  const started: Running[] = []
  let entry: readonly string[] = []
  const startWords = (words: readonly string[]) => {
    const running = startProgram(words, { root: path, leads: true })
    started.push(running)
    return running
  }
  const launch = (line: string) => startWords([...entry, 'bash', '-c', line])
  return {
    path,
    async run(line) {
      const { code, stdout, stderr } = await launch(line).ended
      return { code, output: stdout + stderr }
    },
    async isolate() {
      const holder = startWords([...NETWORK, 'ip link set lo up && echo up && exec sleep infinity'])
      const isUp = await holder.prints('up\n').then(
        () => true,
        () => false,
      )
      if (isUp) entry = ['nsenter', `--target=${holder.child.pid}`, ...ENTER]
    },
    start: (line, text) => launch(line).prints(text),
    async close() {
      for (const running of started.reverse()) await endGroup(running)
      rmSync(path, { recursive: true, force: true })
    },
  }
}
