import type { KeyObject } from 'node:crypto'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { parseResult } from '../../../conformance/report/json/load-result.ts'
import { refuseTargetFile } from '../judge/check-target.ts'
import { RUNS, refuseRuns } from '../judge/judge-runs.ts'
import type { ProfileCatalogue } from '../judge/profile-catalogue.ts'
import { ASK_AGAIN, type KitRun, type Refusal } from '../judge/refusal.ts'
import { badgeOf } from './badge.ts'
import { ALL, COVERED, NAMES, pathInRun, sumsOf } from './kit-files.ts'
import { KitError, openEnvelope, parseJson, readPublicKey } from './open-envelope.ts'
import { presentReadme } from './present-readme.ts'
import { firstDifference, readStatement } from './read-statement.ts'
import {
  digestOf,
  type KitFile,
  makeStatement,
  payloadOf,
  profileDigest,
  type Statement,
  type StatementParts,
} from './statement.ts'

/** The files of a kit by path. */
export type KitFiles = ReadonlyMap<string, Uint8Array>

export interface Verified {
  /** Empty if the kit is a certificate. */
  readonly refusals: readonly Refusal[]
  /** What the certificate says; absent if it was refused. */
  readonly statement?: Statement
  readonly parts?: StatementParts
  readonly key?: KeyObject
}

interface Verification {
  /** What this Assay knows of the profile with that name. Throws `SetupFault` for an unknown one. */
  readonly catalogueOf: (profile: string) => ProfileCatalogue
  /** The key of the runner, from elsewhere than the kit. */
  readonly trusted?: KeyObject
}

/** Whether files are a kit as it was signed, and a certificate: signature, digests, and the verdict, computed anew. */
export function verifyKit(files: KitFiles, verification: Verification): Verified {
  try {
    return verify(files, verification)
  } catch (error) {
    if (error instanceof KitError) return { refusals: [{ says: error.message, next: error.next }] }
    if (error instanceof SetupFault)
      return { refusals: [{ says: error.sentence, next: error.next ?? ASK_AGAIN }] }
    throw error
  }
}

function verify(files: KitFiles, { catalogueOf, trusted }: Verification): Verified {
  const text = (path: string): string => Buffer.from(files.get(path) ?? []).toString()
  refuseOtherFiles(files)
  refuseOtherSums(files, text(NAMES.sums))
  const key = readPublicKey(NAMES.key, text(NAMES.key))
  if (trusted !== undefined && !trusted.equals(key))
    throw new KitError('the kit is signed by another key than that of --key')
  const payload = Buffer.from(openEnvelope(text(NAMES.statement), key)).toString()
  const statement = readStatement(parseJson('the payload of the statement', payload))
  refuseOtherDigests(statement, files)
  const runs = runsOf(text)
  const catalogue = catalogueOf(profileOf(statement))
  refuseOtherProfile(statement, catalogue)
  const refusals = [...refuseTargetText(text(NAMES.target), runs), ...refuseRuns(runs, catalogue)]
  if (refusals.length > 0) return { refusals }
  const covered = COVERED.map((path) => ({ path, bytes: files.get(path) ?? new Uint8Array() }))
  const { subject: subjects } = statement
  const parts = { catalogue, subjects, runs, files: covered, signed: signedOf(statement) }
  refuseOtherStatement(payload, statement, parts)
  refuseOtherPages(parts, text)
  return { refusals: [], statement, parts, key }
}

function refuseOtherFiles(files: KitFiles): void {
  const missing = ALL.find((path) => !files.has(path))
  if (missing !== undefined) throw new KitError(`${missing} is missing`)
  const added = [...files.keys()].find((path) => !ALL.includes(path))
  if (added !== undefined) throw new KitError(`${added} was added`)
}

/** Every file is listed once, with its digest. */
function refuseOtherSums(files: KitFiles, text: string): void {
  const kit = ALL.filter((path) => path !== NAMES.sums).map(
    (path): KitFile => ({ path, bytes: files.get(path) ?? new Uint8Array() }),
  )
  const lines = text.split('\n')
  for (const file of kit)
    if (!lines.includes(sumsOf([file]).trimEnd()))
      throw new KitError(`${file.path} is not what ${NAMES.sums} says`)
  if (lines.length !== kit.length + 1 || lines.at(-1) !== '')
    throw new KitError(`${NAMES.sums} has another number of lines than the kit has files`)
}

function refuseOtherDigests({ predicate }: Statement, files: KitFiles): void {
  for (const path of COVERED) {
    const signed = predicate.configuration.filter(({ name }) => name === path)
    const digest = digestOf(files.get(path) ?? new Uint8Array())
    if (signed.length !== 1 || signed[0]?.digest?.sha256 !== digest)
      throw new KitError(`${path} is not what was signed`)
  }
}

function runsOf(text: (path: string) => string): readonly KitRun[] {
  return Array.from({ length: RUNS }, (_, at) => {
    const name = pathInRun(at + 1, 'result.json')
    return { name, result: parseResult(name, text(name)) }
  })
}

function refuseTargetText(text: string, [first]: readonly KitRun[]): readonly Refusal[] {
  return first === undefined ? [] : refuseTargetFile(NAMES.target, text, first.result.target)
}

/** A profile may change from one Assay to the next, also within a version. */
function refuseOtherProfile({ predicate }: Statement, catalogue: ProfileCatalogue): void {
  const harness = predicate.configuration[0]?.annotations
  if (harness?.['version'] !== catalogue.assay_version) return
  if (predicate.configuration[1]?.digest?.sha256 === profileDigest(catalogue)) return
  throw new KitError(
    `the profile ${catalogue.profile.name} of this Assay has other rows or scenarios than that of the kit`,
    'verify the kit with the Assay that made it',
  )
}

function annotationOf({ predicate }: Statement, at: number, name: string): string {
  return String(predicate.configuration[at]?.annotations?.[name])
}

function profileOf(statement: Statement): string {
  return annotationOf(statement, 1, 'profile')
}

function signedOf(statement: Statement): string {
  return annotationOf(statement, 0, 'signed')
}

/** The statement must be the one that its runs give. */
function refuseOtherStatement(payload: string, statement: Statement, parts: StatementParts): void {
  const expected = makeStatement(parts)
  const at = firstDifference(expected, statement)
  if (at !== undefined) throw new KitError(`the statement is not what the runs give, at ${at}`)
  if (payload !== payloadOf(expected))
    throw new KitError('the statement is not written as Assay writes it')
}

function refuseOtherPages(parts: StatementParts, text: (path: string) => string): void {
  const pages = [
    [NAMES.badge, badgeOf(parts)],
    [NAMES.readme, presentReadme(parts)],
  ] as const
  for (const [path, expected] of pages)
    if (text(path) !== expected) throw new KitError(`${path} does not say what the statement says`)
}
