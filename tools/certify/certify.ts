import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { freshSeed } from '../../conformance/attempt/random.ts'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { ownCommand } from '../../conformance/input/own-command.ts'
import type { OutputStream } from '../../conformance/report/console/live-lines.ts'
import { loadResult } from '../../conformance/report/json/load-result.ts'
import { writeAtomically } from '../../conformance/report/write-atomically.ts'
import { runCommand } from '../../conformance/runner/run-command.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { rolesUnderTest } from '../../conformance/target/target.ts'
import { redactFile } from '../bundle/redact-file.ts'
import { refuseTarget, refuseTargetFile } from './judge/check-target.ts'
import { RUNS, refuseOneRun, refuseRuns } from './judge/judge-runs.ts'
import type { ProfileCatalogue } from './judge/profile-catalogue.ts'
import type { KitRun, Refusal } from './judge/refusal.ts'
import { FILES_OF_RUN, NAMES, pathInRun } from './kit/kit-files.ts'
import { keyFile, makeKit, textFile } from './kit/make-kit.ts'
import type { KitFile } from './kit/statement.ts'
import type { Subject } from './kit/subjects.ts'
import type { Signer } from './sign/signer.ts'

/** What `assay certify` is asked to do. */
export interface CertifyRequest {
  readonly target: string
  readonly out: string
  readonly catalogue: ProfileCatalogue
  readonly subjects: readonly Subject[]
  readonly signer: Signer
  readonly stream: OutputStream
}

/** Runs the profile with three seeds and writes the kit. Returns 0, or 1 if there is no certificate. */
export async function certify(request: CertifyRequest): Promise<number> {
  const { target, out, catalogue, stream } = request
  const print = (text: string): void => void stream.write(text)
  refuseFilled(out)
  const text = await targetText(target)
  const claims = await refuseClaims(target, text, catalogue)
  if (claims.length > 0) return refused(claims, print)
  const { runs, files, log, refusals } = await runProfile(request)
  const covered = [
    ...files,
    textFile(NAMES.target, redactFile(text)),
    textFile(NAMES.log, redactFile(log)),
  ]
  if (refusals.length > 0) {
    await writeFiles(out, covered)
    print(`\n${out} has the results and reports\n`)
    return refused(refusals, print)
  }
  const { subjects, signer } = request
  const parts = { catalogue, subjects, runs, files: [...covered, keyFile(signer)] }
  await writeFiles(out, await makeKit(parts, signer))
  print(`\n${out}: a certificate of the profile ${catalogue.profile.name}\n`)
  print(`next: ${ownCommand()} certificate verify ${out}\n`)
  return 0
}

interface ProfileRuns {
  readonly runs: readonly KitRun[]
  readonly files: readonly KitFile[]
  readonly log: string
  readonly refusals: readonly Refusal[]
}

/** Runs the profile until a run is refused, or all have passed. */
async function runProfile(request: CertifyRequest): Promise<ProfileRuns> {
  const { catalogue } = request
  const log: string[] = []
  const runs: FinishedRun[] = []
  let refusals: readonly Refusal[] = []
  while (runs.length < RUNS && refusals.length === 0) {
    const run = await runOnce(request, runs.length + 1, log)
    runs.push(run)
    refusals = refuseOneRun(run, catalogue)
  }
  return {
    runs,
    files: runs.flatMap((run) => run.files),
    log: log.join(''),
    refusals: refusals.length > 0 ? refusals : refuseRuns(runs, catalogue),
  }
}

async function targetText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause) => {
    throw new SetupFault(`the target file ${file} cannot be read (${codeOf(cause)})`, {
      next: 'check --target',
      cause,
    })
  })
}

/** A kit in a directory with other files could not be verified. */
function refuseFilled(out: string): void {
  if (!existsSync(out) || readdirSync(out).length === 0) return
  throw new SetupFault(`${out} is not empty`, { next: 'give --out a new directory' })
}

/** What the target file says against a certificate, before anything is run. */
async function refuseClaims(
  file: string,
  text: string,
  { profile }: ProfileCatalogue,
): Promise<readonly Refusal[]> {
  const nowhere = join(dirname(file), 'none')
  const target = await loadTarget(file, { run: nowhere, ekCa: nowhere, env: process.env })
  const { name, versions, capabilities } = target
  return [
    ...refuseTarget(profile, { roles: rolesUnderTest(target), versions, capabilities }),
    ...refuseTargetFile(file, text, { name, versions, capabilities }),
  ]
}

interface FinishedRun extends KitRun {
  readonly files: readonly KitFile[]
}

/** One run of the profile, with a seed of its own; the log gets what it prints. */
async function runOnce(
  { target, catalogue, stream }: CertifyRequest,
  number: number,
  log: string[],
): Promise<FinishedRun> {
  const seed = freshSeed()
  const out = join('reports', 'out', 'certify', seed)
  const write = (text: string): void => void log.push(text)
  const head = `run ${number} of ${RUNS}, profile ${catalogue.profile.name}\n`
  stream.write(head)
  write(head)
  await runCommand(
    {
      ...{ target, out, seed, profile: catalogue.profile.name },
      ...{ only: [], exclude: [], role: [], version: [], format: [] },
      ...{ list: false, updateBaseline: false, bail: false, detail: 'counts' },
      ...{ jobs: 2 * availableParallelism(), transcripts: 'notable' },
    },
    stream,
    { write },
  )
  if (!existsSync(join(out, 'result.json')))
    throw new SetupFault(`run ${number} wrote no result`, {
      next: 'set safety.dry_run of the target file to false, and let the run end',
    })
  const files = await Promise.all(
    FILES_OF_RUN.map(async (file) => ({
      path: pathInRun(number, file),
      bytes: await readFile(join(out, file)),
    })),
  )
  const result = await loadResult(join(out, 'result.json'))
  return { name: pathInRun(number, 'result.json'), result, files }
}

async function writeFiles(out: string, files: readonly KitFile[]): Promise<void> {
  for (const { path, bytes } of files) await writeAtomically(join(out, path), bytes)
}

const MOST = 20

function refused(refusals: readonly Refusal[], print: (text: string) => void): number {
  for (const { says, next } of refusals.slice(0, MOST))
    print(`no certificate: ${says}\nnext: ${next}\n`)
  if (refusals.length > MOST) print(`and ${refusals.length - MOST} more\n`)
  return 1
}
