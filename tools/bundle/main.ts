import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { Command } from 'commander'
import { SetupFault } from '../../conformance/input/fault.ts'
import { parse, parseRunOptions } from '../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'
import { loadResult } from '../../conformance/report/json/load-result.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { runCommand } from '../../conformance/runner/run-command.ts'
import type { Bundle } from './bundle.ts'
import { compareReplay } from './compare-replay.ts'
import { makeBundle } from './make-bundle.ts'
import { openBundle } from './open-bundle.ts'
import { loadRecording } from './recording.ts'
import { packZip } from './zip.ts'

/** `assay bundle` and `assay replay`; `argv[0]` is the verb. */
export async function main([verb, ...argv]: readonly string[]): Promise<number> {
  return verb === 'replay' ? replay(argv) : bundle(argv)
}

interface BundleOptions {
  readonly from: string
  readonly target?: string
  readonly out?: string
}

/** Packs what a run recorded of a scenario; returns 0. */
async function bundle(argv: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay bundle')
      .description('packs what a run recorded of one scenario into a zip, to be read and replayed')
      .argument('<scenario>', 'id of the scenario, or ID@VERSION')
      .option('--from <directory>', 'the directory of the run', join('reports', 'out'))
      .option('--target <file>', 'the target file of the run, to be included without its secrets')
      .option('--out <file>', 'the bundle (default: ID@VERSION.assay.zip)'),
    argv,
  )
  if (command === undefined) return 0
  const [name = ''] = command.args
  const options = command.opts<BundleOptions>()
  const recording = await loadRecording(options.from, name)
  const { id, version } = recording.scenario
  const out = options.out ?? `${id}@${version}.assay.zip`
  const target = await targetText(options.target, recording.result.target.file)
  const files = makeBundle(recording, basename(out), target)
  await writeAtomically(out, await packZip(files))
  process.stdout.write(`${out}: ${id} under ${version}, ${files.length} files\n`)
  process.stdout.write(`next: assay replay ${out} --target FILE\n`)
  return 0
}

/** The text of the target file: the named one, or that of the reference if the run used it. */
async function targetText(named: string | undefined, used: string): Promise<string | undefined> {
  const own = defaultTarget()
  const file = named ?? (basename(own) === used && existsSync(own) ? own : undefined)
  if (file === undefined) return undefined
  return readFile(file, 'utf8').catch((cause) => {
    throw new SetupFault(`the target file ${file} cannot be read`, {
      next: 'check --target',
      cause,
    })
  })
}

interface ReplayOptions {
  readonly target: string
  readonly out: string
}

/** Runs the scenario of a bundle again with its seed and TPMs; returns the exit code of that run. */
async function replay(argv: readonly string[]): Promise<number> {
  const command = parse(
    new Command('assay replay')
      .description('runs the scenario of a bundle again, with the same choices and virtual TPMs')
      .argument('<bundle>', 'a file that assay bundle wrote')
      .option('--target <file>', 'target file', defaultTarget())
      .option('--out <directory>', 'directory for the reports', join('reports', 'out', 'replay')),
    argv,
  )
  if (command === undefined) return 0
  const [path = ''] = command.args
  const { target, out } = command.opts<ReplayOptions>()
  const { bundle: recorded, tpms } = await openBundle(path)
  const { id, version } = recorded.scenario
  const words = ['--seed', recorded.seed, '--only', id, '--version', version]
  const options = parseRunOptions(['--target', target, '--out', out, ...words], target)
  if (options === undefined) return 0
  const recordedTpms = { id, version, states: tpms }
  const code = await runCommand({ ...options, recordedTpms }, process.stdout)
  const result = await loadResult(join(out, 'result.json'))
  const replayed = result.scenarios.find((one) => one.id === id && one.version === version)
  if (replayed === undefined)
    throw new SetupFault(`the target does not have ${id} under ${version}`, {
      next: `add ${version} to the versions of ${relative(process.cwd(), target)}`,
    })
  const { comparison, says } = compareReplay(recorded.scenario, replayed)
  process.stdout.write(`\nreplay       ${comparison}: ${says}\n`)
  for (const line of remarks(recorded, result)) process.stdout.write(`             ${line}\n`)
  return code
}

/** What else differs between the two runs. */
function remarks(recorded: Bundle, now: Pick<Bundle, 'assay_version' | 'interface_sha256'>) {
  return [
    ...(recorded.assay_version === now.assay_version
      ? []
      : [`recorded by Assay ${recorded.assay_version}, replayed by ${now.assay_version}`]),
    ...(recorded.interface_sha256 === now.interface_sha256
      ? []
      : ['the catalogue cites another text of the interface document']),
  ]
}
