import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { startProgram } from '../../conformance/selftest/command.ts'
import { changelogSection } from './changelog-section.ts'
import { firstDifference } from './compare-packages.ts'
import { release } from './release.ts'
import { sbomOf } from './sbom.ts'

const root = packageRoot()

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'release-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const LOG = '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0\n\n- one\n\n### Fixed\n\n- two\n'

test('the changes of a release are its section, or what is not released yet', () => {
  expect(changelogSection(LOG, '1.0.0')).toBe('## 1.0.0\n\n- one\n\n### Fixed\n\n- two\n')
  expect(changelogSection(LOG, '1.1.0')).toBe('## Unreleased\n\n- new\n')
  expect(() => changelogSection('# Changelog\n', '1.1.0')).toThrow(
    'CHANGELOG.md has neither a section 1.1.0 nor Unreleased',
  )
})

async function packed(files: Readonly<Record<string, string>>, mode = 0o644, level = 9) {
  const mtime = new Date(0)
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: body.length, mode, mtime },
    body,
  }))
  return gzipSync(await packTar(entries), { level })
}

test('of two packages the first file that differs is named', async () => {
  const one = await packed({ a: 'a', b: 'b', c: 'c' })
  const differsFrom = async (other: Uint8Array) => firstDifference(one, other)
  expect(await differsFrom(await packed({ a: 'a', b: 'b', c: 'c' }))).toBeUndefined()
  expect(await differsFrom(await packed({ a: 'a', b: 'x', c: 'x' }))).toBe('b')
  expect(await differsFrom(await packed({ a: 'a', b: 'b' }))).toBe('c')
  expect(await differsFrom(await packed({ a: 'a', b: 'b', c: 'c' }, 0o755))).toBe(
    'a (name, time or mode)',
  )
  expect(await differsFrom(await packed({ a: 'a', b: 'b', c: 'c' }, 0o644, 0))).toBe(
    'the compression, not a file',
  )
})

test('the SBOM has every package that ours depends on, with its version, and no development package', async () => {
  const { bomFormat, components, dependencies: edges } = JSON.parse(await sbomOf(root))
  expect(bomFormat).toBe('CycloneDX')
  const { version, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const known = new Map<string, string>(
    components.map(({ name, version }: { name: string; version: string }) => [name, version]),
  )
  for (const [name, wanted] of Object.entries(dependencies))
    expect([name, known.get(name)]).toEqual([name, wanted])
  const [own] = edges.filter(({ ref }: { ref: string }) => ref.endsWith(`@${version}`))
  expect(own.dependsOn).toHaveLength(Object.keys(dependencies).length)
  expect(Object.keys(devDependencies).filter((name) => known.has(name))).toEqual([])
})

/** A repository of a package whose build is its file `value`, or the output of a script. */
function makeRepository(prepack: string): string {
  const directory = temporaryDirectory()
  const manifest = {
    ...{ name: 'assay', version: '1.0.0', files: ['value'], scripts: { prepack } },
    repository: { type: 'git', url: 'git+https://assay.example/assay.git' },
  }
  const lock = { name: 'assay', version: '1.0.0', lockfileVersion: 3, packages: { '': {} } }
  const files = {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lock),
  }
  for (const [name, content] of Object.entries({ ...files, 'CHANGELOG.md': LOG }))
    writeFileSync(join(directory, name), content)
  mkdirSync(join(directory, 'node_modules'))
  writeFileSync(join(directory, '.gitignore'), 'node_modules\n')
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@assay.example', ...words], {
      cwd: directory,
    })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'all')
  return directory
}

test('a release is the package, its changes, SBOM, provenance and checksums, which fit', async () => {
  const repository = makeRepository('echo 1 > value')
  writeFileSync(join(repository, 'CHANGELOG.md'), '')
  const out = join(temporaryDirectory(), 'new')
  const said: string[] = []
  await release(repository, out, (line) => said.push(line))
  expect(said).toContain('both builds are byte for byte alike')
  expect(said).toContain('changes that are not committed are left out')
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: out })
  const files = ['tgz', 'changes.md', 'cdx.json', 'provenance.json']
  expect(checked.toString()).toBe(files.map((end) => `assay-1.0.0.${end}: OK\n`).join(''))
  const { subject, predicate } = JSON.parse(
    readFileSync(join(out, 'assay-1.0.0.provenance.json'), 'utf8'),
  )
  const [line = ''] = readFileSync(join(out, 'SHA256SUMS'), 'utf8').split('\n')
  expect(subject).toEqual([{ name: 'assay-1.0.0.tgz', digest: { sha256: line.split(' ')[0] } }])
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: repository }).toString().trim()
  expect(predicate.buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit: head })
})

test('a package whose build is not reproducible is refused, with the file that differs', async () => {
  const repository = makeRepository('mktemp -u > value')
  const out = join(temporaryDirectory(), 'new')
  await expect(release(repository, out, () => undefined)).rejects.toThrow(
    /^two builds of \w{12} differ: first in package\/value$/,
  )
})

test('without --dry-run the command says that it publishes nothing', async () => {
  const words = ['bin/dev.js', 'tools/release/main.ts']
  const { code, stderr } = await startProgram([process.execPath, ...words], { root }).ended
  expect([code, stderr]).toEqual([
    2,
    'assay: a release is published by people, not by this command\nnext: add --dry-run to make its files\n',
  ])
})
