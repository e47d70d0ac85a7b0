import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readBootId, readProcess } from '../../conformance/target/processes/process-table.ts'
import { KEPT_FILE, type KeptPlayground, loadKept, MAKER_FILE } from './kept-playground.ts'
import { openPlace } from './place.ts'

const TARGET = '/somewhere/our.target.yaml'

const KEPT: KeptPlayground = {
  schema: 'assay.playground/1',
  target: TARGET,
  ports: [20_001, 20_002],
  made: 2,
  machines: [
    {
      name: 'm1',
      kind: 'pull',
      agent_id: 'a86919a9-13b7-402d-a0c7-da8bcaa68947',
      contact_port: 20_003,
      agent: 'runs',
      network: 'up',
      verdict: 'PASS',
      done: '',
      past: [['measure', '/usr/bin/x'], ['reboot']],
    },
  ],
}

/** A directory with a valid playground. */
function keep(kept: unknown = KEPT): string {
  const directory = mkdtempSync(join(tmpdir(), 'kept-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'tpms', 'm1'), { recursive: true })
  writeFileSync(join(directory, 'tpms', 'm1', 'tpm2-00.permall'), 'state')
  writeFileSync(join(directory, MAKER_FILE), 'key')
  writeFileSync(join(directory, KEPT_FILE), typeof kept === 'string' ? kept : JSON.stringify(kept))
  return directory
}

/** Retries: a process forked by another test holds a copy of the lock's socket until its exec. */
function openAgain<T>(open: () => Promise<T>): Promise<T> {
  return vi.waitFor(open, { timeout: 20_000 })
}

/** Path and content of every file. */
function contentsOf(directory: string): readonly (readonly [string, string])[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [file, readFileSync(file, 'utf8')] as const)
}

const [m1] = KEPT.machines
const withMachine = (change: object) => ({ ...KEPT, machines: [{ ...m1, ...change }] })

test('a kept playground is read as it was written', () => {
  expect(loadKept(keep())).toEqual(KEPT)
})

test('an empty or missing directory is used for a new playground', () => {
  const directory = keep()
  expect(loadKept(join(directory, 'new'))).toBeUndefined()
  mkdirSync(join(directory, 'empty'))
  expect(loadKept(join(directory, 'empty'))).toBeUndefined()
})

test.each([
  ['invalid JSON', '{"schema": ', 'playground.json is not valid JSON: '],
  [
    'another version',
    { ...KEPT, schema: 'assay.playground/2' },
    'its schema is "assay.playground/2", expected assay.playground/1',
  ],
  [
    'no version',
    { ...KEPT, schema: undefined },
    "playground.json must have required property 'schema'",
  ],
  ['an unknown member', { ...KEPT, more: 1 }, 'must NOT have additional properties'],
  [
    'an unknown kind of agent',
    withMachine({ kind: 'pall' }),
    'playground.json.machines.0.kind must be equal to one of the allowed values: pull, push',
  ],
  [
    'an invalid port',
    withMachine({ contact_port: 70_000 }),
    '.machines.0.contact_port must be <= 65535',
  ],
  [
    'a machine name with a path',
    withMachine({ name: '../m1' }),
    '.machines.0.name must match pattern',
  ],
  ['a duplicate machine', { ...KEPT, machines: [m1, m1] }, 'playground.json contains m1 twice'],
  [
    'an invalid past',
    withMachine({ past: [['reboot'], ['fly']] }),
    'past of m1 in playground.json: script step 2: there is no verb "fly"',
  ],
  ['a machine without its TPM', withMachine({ name: 'm2' }), 'm2 has no TPM state: '],
])('a playground with %s is rejected and not changed', (_, kept, why) => {
  const directory = keep(kept)
  const before = contentsOf(directory)
  expect(() => loadKept(directory)).toThrow(why)
  expect(contentsOf(directory)).toEqual(before)
})

test('a playground without the key of the TPM manufacturer is rejected', () => {
  const directory = keep()
  rmSync(join(directory, MAKER_FILE))
  expect(() => loadKept(directory)).toThrow(`${MAKER_FILE} is missing`)
})

test('a directory with other contents is rejected and not changed', async () => {
  const directory = keep()
  rmSync(join(directory, KEPT_FILE))
  const before = contentsOf(directory)
  const opening = openPlace({ keep: directory, target: TARGET }, () => undefined)
  await expect(opening).rejects.toThrow(`${directory} is not empty and contains no playground`)
  expect(contentsOf(directory)).toEqual(before)
})

test('a file in place of a directory is rejected', () => {
  expect(() => loadKept(join(keep(), KEPT_FILE))).toThrow('playground.json is not a directory')
})

test.each([
  ['other machines', { pull: 2 }, 'has 1 machine with a pull agent, but --pull is 2'],
  ['machines of another kind', { push: 1 }, 'has 0 machines with a push agent, but --push is 1'],
  [
    'other servers',
    { target: '/our.target.yaml' },
    `was created with ${TARGET}, not with /our.target.yaml`,
  ],
])('options for %s than the kept ones are rejected', async (_, requested, why) => {
  const directory = keep()
  const before = contentsOf(directory)
  const options = { keep: directory, target: TARGET, ...requested }
  await expect(openPlace(options, () => undefined)).rejects.toThrow(why)
  expect(contentsOf(directory)).toEqual(before)
})

test('options with the kept number of machines are accepted', async () => {
  const options = { keep: keep(), target: TARGET, pull: 1, push: 0 }
  const place = await openPlace(options, () => undefined)
  expect(place.journal.before).toEqual(KEPT)
  await place.end()
})

test('two playgrounds do not share a directory', async () => {
  const directory = keep()
  const runner = { pid: process.ppid, start_time: readProcess(process.ppid)?.startTime ?? '' }
  const record = { schema: 'assay.processes/1', run: directory, boot_id: readBootId(), runner }
  const rest = { socket_directory: null, processes: [] }
  writeFileSync(join(directory, 'processes.json'), JSON.stringify({ ...record, ...rest }))
  const opening = openPlace({ keep: directory, target: TARGET }, () => undefined)
  await expect(opening).rejects.toThrow(`in use by another Assay, pid ${process.ppid}`)
})

test('of two simultaneous starts in one directory one is rejected, also through a symbolic link', async () => {
  const directory = join(keep(), 'new')
  mkdirSync(directory)
  const other = `${directory}-link`
  symlinkSync(directory, other)
  const paths = [directory, other]
  const open = (keep: string) => openPlace({ keep, target: TARGET }, () => undefined)
  const begun = await Promise.allSettled(paths.map(open))
  const places = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const rejected = begun.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(places).toHaveLength(1)
  expect(rejected).toEqual([expect.stringMatching(/(new|link) is in use by another Assay$/)])
  await Promise.all(places.map((place) => place.end()))
  await (await openAgain(() => open(directory))).end()
})

test('a rejected start releases the lock', async () => {
  const directory = keep()
  const open = (pull: number) =>
    openPlace({ keep: directory, target: TARGET, pull }, () => undefined)
  await expect(open(2)).rejects.toThrow('--pull is 2')
  await (await openAgain(() => open(1))).end()
})
