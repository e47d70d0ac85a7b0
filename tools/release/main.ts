/** `npm run release -- --dry-run`: makes the files of a release, and publishes nothing. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { release } from './release.ts'

interface Options {
  readonly dryRun: boolean
  readonly out?: string
}

async function main(argv: readonly string[]): Promise<void> {
  const command = parse(
    new Command('npm run release --')
      .description(
        'builds the package twice, compares both, and writes it with its changes, SBOM, provenance and checksums',
      )
      .option('--dry-run', 'publish nothing', false)
      .option('--out <directory>', 'directory for the files (default: a new temporary one)'),
    argv,
  )
  if (command === undefined) return
  const { dryRun, out } = command.opts<Options>()
  if (!dryRun)
    throw new SetupFault('a release is published by people, not by this command', {
      next: 'add --dry-run to make its files',
    })
  const say = (line: string) => process.stdout.write(`${line}\n`)
  await release(packageRoot(), out ?? mkdtempSync(join(tmpdir(), 'assay-release-out-')), say)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SetupFault)) throw error
  process.stderr.write(`assay: ${error.sentence}\n${error.next ? `next: ${error.next}\n` : ''}`)
  process.exitCode = 2
}
