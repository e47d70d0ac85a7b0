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

/** A directory that can be gone on with, so far as can be seen before anything starts. */
function keep(kept: unknown = KEPT): string {
  const directory = mkdtempSync(join(tmpdir(), 'kept-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'tpms', 'm1'), { recursive: true })
  writeFileSync(join(directory, 'tpms', 'm1', 'tpm2-00.permall'), 'state')
  writeFileSync(join(directory, MAKER_FILE), 'key')
  writeFileSync(join(directory, KEPT_FILE), typeof kept === 'string' ? kept : JSON.stringify(kept))
  return directory
}

/** A process that another test starts has a copy of an open lock until its own program begins, and so holds it a little longer. */
function openAgain<T>(open: () => Promise<T>): Promise<T> {
  return vi.waitFor(open, { timeout: 20_000 })
}

/** Every file with what is in it. */
function contentsOf(directory: string): readonly (readonly [string, string])[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [file, readFileSync(file, 'utf8')] as const)
}

const [m1] = KEPT.machines
const withMachine = (change: object) => ({ ...KEPT, machines: [{ ...m1, ...change }] })

test('what was kept is read as it was written', () => {
  expect(loadKept(keep())).toEqual(KEPT)
})

test('a directory that is empty, or not there, is for a new playground', () => {
  const directory = keep()
  expect(loadKept(join(directory, 'new'))).toBeUndefined()
  mkdirSync(join(directory, 'empty'))
  expect(loadKept(join(directory, 'empty'))).toBeUndefined()
})

test.each([
  ['no JSON', '{"schema": ', 'playground.json is no JSON: '],
  [
    'another version',
    { ...KEPT, schema: 'assay.playground/2' },
    'its schema is "assay.playground/2", and assay.playground/1 is known',
  ],
  [
    'no version',
    { ...KEPT, schema: undefined },
    "playground.json must have required property 'schema'",
  ],
  ['a member that nobody knows', { ...KEPT, more: 1 }, 'must NOT have additional properties'],
  [
    'a kind of agent that nobody knows',
    withMachine({ kind: 'pall' }),
    'playground.json.machines.0.kind must be equal to one of the allowed values: pull, push',
  ],
  [
    'a port that is none',
    withMachine({ contact_port: 70_000 }),
    '.machines.0.contact_port must be <= 65535',
  ],
  [
    'a name that leads elsewhere',
    withMachine({ name: '../m1' }),
    '.machines.0.name must match pattern',
  ],
  ['a machine twice', { ...KEPT, machines: [m1, m1] }, 'playground.json has m1 twice'],
  [
    'a past that cannot happen',
    withMachine({ past: [['reboot'], ['fly']] }),
    'the past of m1 in playground.json, script step 2: there is no verb "fly"',
  ],
  ['a machine without its TPM', withMachine({ name: 'm2' }), 'm2 has no TPM: '],
])('a playground with %s is not gone on with, and stays as it is', (_, kept, why) => {
  const directory = keep(kept)
  const before = contentsOf(directory)
  expect(() => loadKept(directory)).toThrow(why)
  expect(contentsOf(directory)).toEqual(before)
})

test('a playground without the key of its maker is not gone on with', () => {
  const directory = keep()
  rmSync(join(directory, MAKER_FILE))
  expect(() => loadKept(directory)).toThrow(`${MAKER_FILE} is missing`)
})

test('a directory with something else in it is left as it is', async () => {
  const directory = keep()
  rmSync(join(directory, KEPT_FILE))
  const before = contentsOf(directory)
  const opening = openPlace({ keep: directory, target: TARGET }, () => undefined)
  await expect(opening).rejects.toThrow(`${directory} holds something else than a playground`)
  expect(contentsOf(directory)).toEqual(before)
})

test('a file in place of a directory is told from one', () => {
  expect(() => loadKept(join(keep(), KEPT_FILE))).toThrow('playground.json is no directory')
})

test.each([
  ['other machines', { pull: 2 }, 'has 1 with a pull agent, and --pull asks for 2'],
  ['machines of another kind', { push: 1 }, 'has 0 with a push agent, and --push asks for 1'],
  [
    'other servers',
    { target: '/our.target.yaml' },
    `was made from ${TARGET}, and not from /our.target.yaml`,
  ],
])('who asks for %s than were kept is told', async (_, asked, why) => {
  const directory = keep()
  const before = contentsOf(directory)
  const options = { keep: directory, target: TARGET, ...asked }
  await expect(openPlace(options, () => undefined)).rejects.toThrow(why)
  expect(contentsOf(directory)).toEqual(before)
})

test('who asks for as many as were kept gets them', async () => {
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

test('of two that begin in one directory at the same moment one is told, by whichever path', async () => {
  const directory = join(keep(), 'new')
  mkdirSync(directory)
  const other = `${directory}-link`
  symlinkSync(directory, other)
  const paths = [directory, other]
  const open = (keep: string) => openPlace({ keep, target: TARGET }, () => undefined)
  const begun = await Promise.allSettled(paths.map(open))
  const places = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = begun.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(places).toHaveLength(1)
  expect(refused).toEqual([expect.stringMatching(/(new|link) is in use by another Assay$/)])
  await Promise.all(places.map((place) => place.end()))
  await (await openAgain(() => open(directory))).end()
})

test('who is refused holds nothing', async () => {
  const directory = keep()
  const open = (pull: number) =>
    openPlace({ keep: directory, target: TARGET, pull }, () => undefined)
  await expect(open(2)).rejects.toThrow('--pull asks for 2')
  await (await openAgain(() => open(1))).end()
})
