import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { presentGroups, presentResults } from './present-vectors.ts'
import { runVectors } from './run-vectors.ts'
import { type VectorGroup, vectorGroups } from './vectors.ts'

interface VectorOptions {
  readonly adapter?: string
  readonly group?: readonly string[]
  readonly list?: true
  readonly write?: string
  readonly json?: string
}

const HELP = `
An adapter reads one body of POST verify/evidence per line of its standard input, and prints one line of JSON for each, in
this order: {"valid": true}, {"valid": false, "failures": [...]}, {"error": "..."} for evidence that it cannot read, or
{"skip": "..."} for evidence that it does not support.

Exit code 0: every vector that was judged is as expected. 1: one is not, or none was judged. 2: the adapter cannot be started.`

/** `assay vectors`; `argv[0]` is the verb. */
export async function main([, ...argv]: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay vectors')
      .description(
        'gives recorded evidence with known verdicts to a library, or writes it as files',
      )
      .option(
        '--adapter <command>',
        'a line for the shell (default: node bin/assay.js verify-evidence --batch)',
      )
      .option(
        '--group <name>',
        'only this group; can be repeated',
        (value: string, before: readonly string[] = []) => [...before, value],
      )
      .option('--list', 'prints the groups and their numbers of vectors')
      .option(
        '--write <directory>',
        'writes a file for each group (reports/schema/vectors.schema.json)',
      )
      .option('--json <file>', 'writes each vector with its answer')
      .addHelpText('after', HELP),
    argv,
  )
  if (command === undefined) return 0
  const { adapter, group, list, write, json } = command.opts<VectorOptions>()
  const groups = chosen(group)
  if (list) process.stdout.write(presentGroups(groups))
  if (write !== undefined) await writeGroups(write, groups)
  return list || write !== undefined ? 0 : run(groups, adapter, json)
}

function chosen(names: readonly string[] | undefined): readonly VectorGroup[] {
  const all = vectorGroups()
  if (names === undefined) return all
  const known = all.map(({ group }) => group)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new SetupFault(
      `there is no group ${JSON.stringify(unknown)}; groups are ${known.join(', ')}`,
      {
        next: 'assay vectors --list',
      },
    )
  return all.filter(({ group }) => names.includes(group))
}

async function writeGroups(directory: string, groups: readonly VectorGroup[]): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const group of groups)
    await writeFile(join(directory, `${group.group}.json`), `${JSON.stringify(group, null, 1)}\n`)
  process.stdout.write(`${directory}: ${groups.length} files\n`)
}

async function run(
  groups: readonly VectorGroup[],
  adapter: string | undefined,
  json: string | undefined,
): Promise<number> {
  const ours = [
    process.execPath,
    join(packageRoot(), 'bin', 'assay.js'),
    'verify-evidence',
    '--batch',
  ]
  const results = await runVectors(adapter ?? ours, groups)
  process.stdout.write(presentResults(results))
  if (json !== undefined) await writeAtomically(json, `${JSON.stringify(results, null, 1)}\n`)
  const outcomes = results.flatMap((one) => one.results).map(({ outcome }) => outcome)
  return outcomes.includes('agrees') && !outcomes.includes('differs') ? 0 : 1
}
