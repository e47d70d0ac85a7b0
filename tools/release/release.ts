import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { SetupFault } from '../../conformance/input/fault.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { sumsOf } from '../certify/kit/kit-files.ts'
import { digestOf, type KitFile } from '../certify/kit/statement.ts'
import { buildPackage, checkOut, outputOf } from './build-package.ts'
import { changelogSection } from './changelog-section.ts'
import { firstDifference } from './compare-packages.ts'
import { provenanceOf } from './provenance.ts'
import { sbomOf } from './sbom.ts'

/** Builds the package of a commit twice, in two directories; throws if they differ. */
async function buildTwice(
  root: string,
  commit: string,
  home: string,
  say: (line: string) => void,
): Promise<{ readonly checkout: string; readonly tarball: KitFile }> {
  const built: { checkout: string; file: string }[] = []
  for (const name of ['first', 'second']) {
    say(`building the package, the ${name} time`)
    const checkout = await checkOut(root, commit, join(home, name))
    built.push({ checkout, file: await buildPackage(checkout) })
  }
  const [one = new Uint8Array(), other = new Uint8Array()] = built.map(({ file }) =>
    readFileSync(file),
  )
  const difference = await firstDifference(one, other)
  if (difference !== undefined)
    throw new SetupFault(`two builds of ${commit.slice(0, 12)} differ: first in ${difference}`, {
      next: 'look for a time, a path or a random value in that file',
    })
  say('both builds are byte for byte alike')
  const { checkout = '', file = '' } = built[0] ?? {}
  return { checkout, tarball: { path: basename(file), bytes: one } }
}

const text = (path: string, content: string): KitFile => ({ path, bytes: Buffer.from(content) })

/** Makes the files of a release of the commit that is checked out, and writes them to `out`. */
export async function release(
  root: string,
  out: string,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = new Date()
  const commit = (await outputOf('git', ['rev-parse', 'HEAD'], root)).trim()
  const changes = await outputOf('git', ['status', '--porcelain', '--untracked-files=no'], root)
  if (changes !== '') say('changes that are not committed are left out')
  const home = mkdtempSync(join(tmpdir(), 'assay-release-'))
  try {
    const { checkout, tarball } = await buildTwice(root, commit, home, say)
    const read = (name: string) => readFileSync(join(checkout, name))
    const manifest = JSON.parse(read('package.json').toString())
    const name = `assay-${manifest.version}`
    const statement = provenanceOf({
      ...{ name: tarball.path, sha256: digestOf(tarball.bytes), commit, startedAt },
      repository: manifest.repository.url,
      lockSha256: digestOf(read('package-lock.json')),
      node: process.version,
      npm: (await outputOf('npm', ['--version'], checkout)).trim(),
      finishedAt: new Date(),
    })
    const files = [
      tarball,
      text(
        `${name}.changes.md`,
        changelogSection(read('CHANGELOG.md').toString(), manifest.version),
      ),
      text(`${name}.cdx.json`, await sbomOf(checkout)),
      text(`${name}.provenance.json`, `${JSON.stringify(statement, null, 2)}\n`),
    ]
    for (const file of [...files, text('SHA256SUMS', sumsOf(files))]) {
      await writeAtomically(join(out, file.path), file.bytes)
      say(`${join(out, file.path)}: ${file.bytes.length} bytes`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
