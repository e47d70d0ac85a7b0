import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { packZip } from '../bundle/zip.ts'
import { compareKits } from './compare-kits.ts'
import { openKit } from './kit/open-kit.ts'
import { type KitFiles, type Verified, verifyKit } from './kit/verify-kit.ts'
import { sampleKit } from './testing/sample-kit.ts'
import { CATALOGUE, sampleRun } from './testing/sample-runs.ts'

let directory: string
let kit: KitFiles

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'assay-kit-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  kit = await sampleKit()
  for (const [path, bytes] of kit) {
    mkdirSync(dirname(join(directory, 'kit', path)), { recursive: true })
    writeFileSync(join(directory, 'kit', path), bytes)
  }
})

const verdictOn = (files: KitFiles): Verified => verifyKit(files, { catalogueOf: () => CATALOGUE })

async function zipOf(prefix: string): Promise<string> {
  const file = join(directory, 'kit.zip')
  const entries = [...kit].map(([path, bytes]) => ({ path: prefix + path, bytes }))
  writeFileSync(file, await packZip(entries))
  return file
}

test('a kit is read from its directory, and from a zip of its files or of its directory', async () => {
  const places = [join(directory, 'kit'), await zipOf('')]
  for (const place of places) expect(verdictOn(await openKit(place)).refusals).toEqual([])
  expect(verdictOn(await openKit(await zipOf('kit/'))).refusals).toEqual([])
})

test('a link in a kit is refused', async () => {
  symlinkSync('/etc/passwd', join(directory, 'kit', 'link'))
  await expect(openKit(join(directory, 'kit'))).rejects.toMatchObject({
    sentence: expect.stringMatching(/cannot be read as a kit: link is no regular file$/),
  })
})

test.each([
  ['a directory with many files', manyFiles, 'it has more than 100 files'],
  ['a path without a file', () => join(directory, 'none'), 'ENOENT'],
  ['a file that is no archive', textFile, 'cannot be read as a kit'],
  ['a device', () => '/dev/null', 'it is neither a directory nor a file'],
])('%s is refused', async (_what, place, says) => {
  await expect(openKit(place())).rejects.toMatchObject({
    sentence: expect.stringContaining(says),
  })
})

function manyFiles(): string {
  for (let at = 0; at < 100; at += 1) writeFileSync(join(directory, 'kit', `${at}`), '')
  return join(directory, 'kit')
}

function textFile(): string {
  writeFileSync(join(directory, 'text'), 'text')
  return join(directory, 'text')
}

const valid = (files: KitFiles) => verdictOn(files) as Required<Verified>

test('two kits of the same runs have no difference', () => {
  expect(compareKits(valid(kit), valid(kit))).toEqual([])
})

test('what two kits certify differently is named', async () => {
  const capabilities = ['ek_store']
  const versions = ['3.0']
  const target = "name: Example | registrar\nversions: ['3.0']\ncapabilities: [ek_store]\n"
  const newer = await sampleKit({
    target,
    subjects: [{ name: 'registrar_1.1.deb', digest: { sha256: '0d'.repeat(32) } }],
    runs: [1, 2, 3].map((number) =>
      sampleRun(number, {
        target: { capabilities, versions },
        scenarios: (all) => all.filter(({ version }) => version === '3.0'),
      }),
    ),
  })
  expect(compareKits(valid(kit), valid(newer))).toEqual([
    expect.stringContaining('subjects: registrar_1.0.deb sha256:0c0c'),
    'API versions: 2.5 3.0, then 3.0',
    'capabilities: ek_store ima_log, then ek_store',
    'no longer passed: registrar.added@2.5',
    'no longer passed: registrar.refused@2.5',
    'no longer passed: registrar.store@2.5',
    'no longer warned: registrar.silent@2.5',
  ])
})
