import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { isRunning } from '../../target/testing/test-support.ts'
import { freshOut, readRecords, runAssay } from '../command.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-bad-input-'))
const out = freshOut()

afterAll(() => {
  for (const path of [directory, out]) rmSync(path, { recursive: true, force: true })
})

interface Case {
  readonly what: string
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Parts that the sentence must contain. */
  readonly names: readonly string[]
}

const file = (name: string, content: unknown): string => {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : stringify(content))
  return path
}

const RUN = '$' + '{run}'
const TLS = { ca: `${RUN}/ca.crt`, admin: { certificate: `${RUN}/a.crt`, key: `${RUN}/a.key` } }
const target = (url: string, start?: unknown) => ({
  name: 'deployment',
  versions: ['2.5'],
  roles: { verifier: { url, ...(start === undefined ? {} : { start }) } },
  tls: TLS,
})

const busy = createServer()
await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
const address = busy.address()
const busyPort = typeof address === 'object' && address !== null ? address.port : 0
afterAll(() => {
  busy.close()
})

const CASES: readonly Case[] = [
  { what: 'an unknown option', argv: ['--colour'], names: ['--colour', '--help'] },
  { what: 'a seed with a space', argv: ['--seed', 'a b'], names: ['--seed', 'letters'] },
  {
    what: 'a missing target file',
    argv: ['--target', join(directory, 'none.yaml')],
    names: ['none.yaml', 'no such file'],
  },
  {
    what: 'a target file that is not YAML',
    argv: ['--target', file('broken.yaml', 'name: [')],
    names: ['broken.yaml'],
  },
  {
    what: 'an unknown key in the target file',
    argv: [
      '--target',
      file('unknown.yaml', { ...target('https://127.0.0.1:1'), verions: ['2.5'] }),
    ],
    names: ['verions', 'versions'],
  },
  {
    what: 'a host that is not loopback',
    argv: ['--target', file('far.yaml', target('https://192.0.2.1:8881'))],
    names: ['192.0.2.1', 'loopback_only'],
  },
  {
    what: 'a busy port',
    argv: [
      '--target',
      file('busy.yaml', target(`https://127.0.0.1:${busyPort}`, { command: ['sleep', '60'] })),
    ],
    names: [`${busyPort}`, 'busy'],
  },
  {
    what: 'a deployment that is down',
    argv: [
      '--target',
      file('down.yaml', {
        ...target('https://127.0.0.1:9'),
        tls: { ca: '../../etc/ssl/certs/ca-certificates.crt', admin: TLS.admin },
      }),
    ],
    names: [],
  },
  {
    what: 'a selection without a match',
    argv: ['--only', 'no.such.scenario'],
    names: ['no.such.scenario', 'assay list'],
  },
  {
    what: 'a missing swtpm',
    argv: ['--only', 'registrar.registration.accepted'],
    env: { PATH: nodeOnlyPath() },
    names: ['swtpm', 'apt-get install swtpm'],
  },
]

test.each(CASES)(
  '$what gives one sentence and exit code 2, and leaves no process',
  async ({ argv, env, names }) => {
    const { code, stderr } = await runAssay(
      ['run', '--out', out, ...argv],
      env === undefined ? {} : { env },
    )
    expect(code).toBe(2)
    const [first = '', ...rest] = stderr.trim().split('\n')
    expect(first).toMatch(/^assay: /)
    for (const name of names) expect(stderr).toContain(name)
    expect(rest.every((line) => line.startsWith('next: '))).toBe(true)
    expect(
      readRecords(out)
        .flatMap(({ processes }) => processes)
        .filter(({ pid }) => isRunning(pid)),
    ).toEqual([])
  },
)

test('an unknown verb gives one sentence and exit code 2', async () => {
  const { code, stderr } = await runAssay(['certify'])
  expect(code).toBe(2)
  expect(stderr).toContain('certify')
})

/** A PATH with node and without swtpm. */
function nodeOnlyPath(): string {
  symlinkSync(process.execPath, join(directory, 'node'))
  return directory
}
