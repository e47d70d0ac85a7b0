import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleResult } from '../../conformance/report/testing/sample-result.ts'
import { sampleTranscripts } from '../../conformance/report/testing/sample-scenarios.ts'
import { Transcripts } from '../../conformance/report/transcripts/transcripts.ts'
import { writeReports } from '../../conformance/report/write-reports.ts'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import type { BundleFile } from './attachments.ts'
import { BUNDLE_FILE, LARGEST } from './bundle.ts'
import { makeBundle } from './make-bundle.ts'
import { openBundle } from './open-bundle.ts'
import { loadRecording } from './recording.ts'
import { packZip, readZip } from './zip.ts'

const STATES = [1, 2].map((byte) => ({
  permanent: Uint8Array.of(byte, 0, 255),
  volatile: Uint8Array.of(byte, 1, 254),
}))

/** The id of a sample scenario with a transcript, and the directory of a run that has it. */
async function sampleRun(): Promise<{ readonly id: string; readonly directory: string }> {
  const directory = temporaryDirectory()
  const transcripts = new Transcripts('all')
  for (const kept of sampleTranscripts().all()) transcripts.keep(kept, kept.transcript, STATES)
  const result = sampleResult()
  await writeReports(result, transcripts, directory)
  const scenario = result.scenarios.find(
    ({ transcript, outcome }) => transcript.kept && outcome === 'fail',
  )
  return { id: scenario?.id ?? '', directory }
}

async function sampleBundle(): Promise<readonly BundleFile[]> {
  const { id, directory } = await sampleRun()
  return makeBundle(await loadRecording(directory, id), 'a.zip', 'name: a\n')
}

async function zipped(files: readonly BundleFile[]): Promise<string> {
  const path = join(temporaryDirectory(), 'a.zip')
  writeFileSync(path, await packZip(files))
  return path
}

test('a bundle has what a reader needs, and gives the states of the TPMs back', async () => {
  const files = await sampleBundle()
  const paths = files.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['README.md', 'transcript.json', 'exchange.har', 'requests.sh', 'target.yaml'],
      ...['tpm/1/tpm2-00.permall', 'tpm/2/tpm2-00.volatilestate', BUNDLE_FILE],
    ]),
  )
  const { bundle, tpms } = await openBundle(await zipped(files))
  expect(tpms.map((state) => ({ ...state }))).toEqual(
    STATES.map(({ permanent, volatile }) => ({
      permanent: Buffer.from(permanent),
      volatile: Buffer.from(volatile),
    })),
  )
  expect(bundle.scenario.outcome).toBe('fail')
  expect(Object.keys(bundle.files)).toEqual(paths.filter((path) => path !== BUNDLE_FILE))
})

test('the same recording makes the same bytes', async () => {
  const files = await sampleBundle()
  expect(await packZip(files)).toEqual(await packZip(files))
})

test('the README says what failed, with expected and received', async () => {
  const [readme] = (await sampleBundle()).filter(({ path }) => path === 'README.md')
  const text = Buffer.from(readme?.bytes ?? []).toString()
  expect(text).toMatch(/^## What did not hold$/m)
  expect(text).toMatch(/^- expected: `.+`$/m)
  expect(text).toMatch(/^- received: `.+`$/m)
})

/** A change to the files of a bundle, and the sentence about it. */
const TAMPERINGS: readonly (readonly [
  name: string,
  change: (files: readonly BundleFile[]) => readonly BundleFile[],
  says: RegExp,
])[] = [
  [
    'a file is gone',
    (all) => all.filter(({ path }) => path !== 'README.md'),
    /README\.md is missing/,
  ],
  [
    'a file is changed',
    (all) =>
      all.map((one) => (one.path === 'requests.sh' ? { ...one, bytes: Buffer.from('x') } : one)),
    /requests\.sh is not what was packed/,
  ],
  [
    'a byte of a TPM is changed',
    (all) =>
      all.map((one) =>
        one.path === 'tpm/1/tpm2-00.permall' ? { ...one, bytes: Uint8Array.of(1, 0, 254) } : one,
      ),
    /tpm\/1\/tpm2-00\.permall is not what was packed/,
  ],
  [
    'a file is added',
    (all) => [...all, { path: 'x.sh', bytes: Buffer.from('x') }],
    /x\.sh was added/,
  ],
  [
    'the list is gone',
    (all) => all.filter(({ path }) => path !== BUNDLE_FILE),
    /bundle\.json is missing/,
  ],
  [
    'the list is no JSON',
    (all) => [...all.slice(0, -1), { path: BUNDLE_FILE, bytes: Buffer.from('{') }],
    /bundle\.json is not JSON/,
  ],
  [
    'the list has another form',
    (all) => [...all.slice(0, -1), { path: BUNDLE_FILE, bytes: Buffer.from('{}') }],
    /bundle\.json, at \/: it must have required property/,
  ],
  ['a file is there twice', (all) => [...all, ...all.slice(0, 1)], /it has README\.md twice/],
]

test.each(TAMPERINGS)('%s: the bundle is rejected, by name', async (_, change, says) => {
  await expect(openBundle(await zipped(change(await sampleBundle())))).rejects.toThrow(says)
})

test('a file that is no zip archive, or a truncated one, is rejected', async () => {
  const path = await zipped(await sampleBundle())
  writeFileSync(path, readFileSync(path).subarray(0, -40))
  await expect(openBundle(path)).rejects.toThrow(/is not a bundle as it was written/)
})

test('an archive that expands beyond the limit is rejected before it is read', async () => {
  const archive = await packZip([{ path: 'a', bytes: new Uint8Array(10_000) }])
  expect((await readZip(archive, LARGEST)).get('a')?.length).toBe(10_000)
  await expect(readZip(archive, 9999)).rejects.toThrow('its files have more than 9999 bytes')
})

test.each([
  ['no.such-scenario', /has no scenario no\.such-scenario/],
  ['@9.9', /did not run under 9\.9/],
])('bundling %s gives one sentence', async (name, says) => {
  const { id, directory } = await sampleRun()
  const asked = name.startsWith('@') ? `${id}${name}` : name
  await expect(loadRecording(directory, asked)).rejects.toThrow(says)
})

test.each(['../../../etc/passwd', 'scenarios/../package.json', '/etc/passwd', 'scenarios/none.ts'])(
  'a result that names %s as the source of a scenario gets no file of this machine into a bundle',
  async (source) => {
    const { id, directory } = await sampleRun()
    const result = JSON.parse(readFileSync(join(directory, 'result.json'), 'utf8'))
    for (const scenario of result.scenarios) scenario.source = source
    writeFileSync(join(directory, 'result.json'), JSON.stringify(result))
    expect((await loadRecording(directory, id)).source).toBeUndefined()
  },
)

test('the shell reads each word of requests.sh as it was sent', async () => {
  const { id, directory } = await sampleRun()
  const recording = await loadRecording(directory, id)
  const hostile = `it's "$(touch x)" \`touch y\` \\ $HOME\n`
  const request = {
    method: 'POST',
    url: `https://127.0.0.1:1/${encodeURIComponent(hostile)}'$(touch z)`,
    headers: { 'x-told': hostile.trim() },
    body: hostile,
  }
  const entry = { lane: 'wire', at_ms: 1, ms: 1, speaker: hostile, request } as const
  const files = makeBundle(
    { ...recording, kept: { ...recording.kept, transcript: [entry] } },
    ...(['a.zip', undefined] as const),
  )
  const place = temporaryDirectory()
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), bytes)
  }
  const script = `curl() { printf '%s\\0' "$@"; }\n${readFileSync(join(place, 'requests.sh'), 'utf8')}`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: place, encoding: 'utf8' })
  expect(stderr).toBe('')
  const words = stdout.split('\0')
  expect(words).toContain(request.url)
  expect(words).toContain(`x-told: ${hostile.trim()}`)
  expect(readFileSync(join(place, 'bodies', '001.txt'), 'utf8')).toBe(hostile)
  expect(spawnSync('ls', [place], { encoding: 'utf8' }).stdout).not.toMatch(/^[xyz]$/m)
})
