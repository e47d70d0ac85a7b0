import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { reasonOfSystem, SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import type { Console } from '../../conformance/report/console/open-console.ts'
import { environmentDirectory, makePythonEnvironment } from '../interop/python-environment.ts'
import type { Kind } from './evidence-files.ts'

/** A program that answers each line, `{"kind": "log", "bytes": "…"}`, with a line that has the fields or an `error`. */
export interface Reader {
  readonly name: string
  readonly kinds: readonly Kind[]
  readonly command: readonly string[]
}

/** A reader that cannot be started here, and why. */
export interface Absent {
  readonly name: string
  readonly why: string
}

const execute = promisify(execFile)
const BUILD_MS = 10 * 60_000
const ADAPTERS = join(packageRoot(), 'tools', 'readers', 'adapters')

export const OURS: Reader = {
  name: 'ours',
  kinds: ['log', 'list', 'text-list', 'quote'],
  command: [
    ...[process.execPath, join(packageRoot(), 'bin', 'dev.js')],
    'reference/dev/readers/main.ts',
  ],
}

const program = (name: string, kind: Kind): Reader => ({
  ...{ name, kinds: [kind] },
  command: [process.execPath, join(ADAPTERS, 'programs.js'), name],
})

/** The first line of what a failed build printed, without the heading `# package` of Go. */
function reasonOfBuild(error: unknown): string {
  const { stderr = '' } = error as { readonly stderr?: string }
  const [first] = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return first ?? reasonOfSystem(error)
}

/** Builds an adapter in a copy, as the tools of its language write files beside its sources. */
async function build(language: string, words: readonly string[]): Promise<string> {
  const directory = join(dirname(environmentDirectory(process.env)), 'readers', language)
  mkdirSync(directory, { recursive: true })
  cpSync(join(ADAPTERS, language), directory, { recursive: true })
  const [command = '', ...rest] = words
  await execute(command, rest, { cwd: directory, timeout: BUILD_MS })
  return directory
}

async function goReaders(): Promise<readonly Reader[]> {
  const directory = await build('go', ['go', 'build', '-mod=mod', '-o', 'readers', '.'])
  const reader = (name: string, kind: Kind): Reader => ({
    ...{ name, kinds: [kind], command: [join(directory, 'readers'), name] },
  })
  return [
    ...[reader('go-eventlog', 'log'), reader('go-attestation', 'log')],
    reader('go-tpm', 'quote'),
  ]
}

async function rustReaders(): Promise<readonly Reader[]> {
  const directory = await build('rust', ['cargo', 'build', '--release', '--quiet'])
  const command = [join(directory, 'target', 'release', 'readers')]
  return [
    { name: 'uefi-eventlog', kinds: ['log'], command },
    { name: 'ima-measurements', kinds: ['list'], command },
  ]
}

async function pythonReaders(console: Console): Promise<readonly Reader[]> {
  const { directory } = await makePythonEnvironment(console)
  const command = [join(directory, 'bin', 'python'), join(ADAPTERS, 'keylime_readers.py')]
  return [{ name: 'keylime', kinds: ['text-list', 'quote'], command }]
}

/** The other readers, built or installed on the first call; those that cannot be are named with the reason. */
export async function prepareReaders(
  console: Console,
): Promise<{ readonly readers: readonly Reader[]; readonly absent: readonly Absent[] }> {
  const programs = [program('tpm2_eventlog', 'log'), program('evmctl', 'list')]
  const absent: Absent[] = []
  const readers: Reader[] = [...programs, program('tpm2_print', 'quote')]
  const steps = [
    ...[
      { name: 'readers in Go', make: goReaders },
      { name: 'readers in Rust', make: rustReaders },
    ],
    { name: 'keylime', make: () => pythonReaders(console) },
  ]
  for (const { name, make } of steps) {
    console.does(() => `  building ${name}`)
    try {
      readers.push(...(await make()))
    } catch (error) {
      const why = error instanceof SetupFault ? error.sentence : reasonOfBuild(error)
      absent.push({ name, why })
    }
  }
  return { readers, absent }
}
