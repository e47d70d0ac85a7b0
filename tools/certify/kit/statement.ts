import { createHash } from 'node:crypto'
import type { RunResult } from '../../../conformance/report/result.ts'
import { coverRows } from '../judge/cover-rows.ts'
import type { ProfileCatalogue } from '../judge/profile-catalogue.ts'
import type { KitRun } from '../judge/refusal.ts'
import type { Subject } from './subjects.ts'

/** ResourceDescriptor of the in-toto Attestation Framework, as far as it is used. */
interface Descriptor {
  readonly name: string
  readonly digest?: { readonly sha256: string }
  readonly mediaType?: string
  readonly annotations?: Readonly<Record<string, unknown>>
}

/** An in-toto Statement v1 with the predicate "test result". */
export interface Statement {
  readonly _type: typeof STATEMENT
  readonly subject: readonly Subject[]
  readonly predicateType: typeof TEST_RESULT
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED'
    /** Assay, the profile with its target, and every file that the statement covers. */
    readonly configuration: readonly Descriptor[]
    /** `ID@VERSION`. */
    readonly passedTests: readonly string[]
    readonly warnedTests: readonly string[]
    readonly failedTests: readonly string[]
  }
}

const STATEMENT = 'https://in-toto.io/Statement/v1'
const TEST_RESULT = 'https://in-toto.io/attestation/test-result/v0.1'

/** A file of a kit. */
export interface KitFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** What a statement is made of. */
export interface StatementParts {
  readonly catalogue: ProfileCatalogue
  readonly subjects: readonly Subject[]
  readonly runs: readonly KitRun[]
  /** How it is signed. */
  readonly signed: string
  /** The files that it covers. */
  readonly files: readonly KitFile[]
}

/** The statement of runs that {@link refuseRuns} has nothing against. */
export function makeStatement(parts: StatementParts): Statement {
  const { runs, subjects, files } = parts
  const byName = new Map(runs.map(({ name, result }) => [name, result]))
  const { passed, warned } = testsOf(runs.map(({ result }) => result))
  return {
    _type: STATEMENT,
    subject: subjects,
    predicateType: TEST_RESULT,
    predicate: {
      result: warned.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        harnessOf(parts),
        profileOf(parts),
        ...files.map((file) => fileOf(file, byName.get(file.path))),
      ],
      passedTests: passed,
      warnedTests: warned,
      failedTests: [],
    },
  }
}

/** The signed text. */
export function payloadOf(statement: Statement): string {
  return `${JSON.stringify(statement, null, 1)}\n`
}

/** SHA-256 in hex. */
export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function harnessOf({ catalogue, signed }: StatementParts): Descriptor {
  const { assay_version: version, interface_sha256 } = catalogue
  return { name: 'assay', annotations: { version, interface_sha256, signed } }
}

/** SHA-256 of the ids of rows and scenarios, in hex: it changes with what the profile demands. */
export function profileDigest({ rows, scenarios }: ProfileCatalogue): string {
  return digestOf([...rows, ...scenarios].map(({ id }) => `${id}\n`).join(''))
}

function profileOf({ catalogue, runs }: StatementParts): Descriptor {
  const { profile, rows } = catalogue
  const [first] = runs
  const coverages = runs.map(({ result }) => coverRows(result, catalogue))
  const left = new Map(coverages.flatMap((one) => one.left).map((one) => [one.row, one]))
  const { name: target, versions, capabilities, dialect } = first?.result.target ?? {}
  return {
    name: `profile ${profile.name}`,
    digest: { sha256: profileDigest(catalogue) },
    annotations: {
      profile: profile.name,
      ...{ target, versions, capabilities, dialect },
      covers: first?.result.scope?.text,
      rows: rows.length,
      rows_not_covered: [...left.values()],
    },
  }
}

const MEDIA_TYPES: readonly (readonly [end: string, type: string])[] = [
  ['.json', 'application/json'],
  ['.html', 'text/html'],
  ['.yaml', 'application/yaml'],
  ['.txt', 'text/plain'],
  ['.pem', 'application/x-pem-file'],
  ['.gz', 'application/gzip'],
]

function fileOf({ path, bytes }: KitFile, result: RunResult | undefined): Descriptor {
  const mediaType = MEDIA_TYPES.find(([end]) => path.endsWith(end))?.[1]
  return {
    name: path,
    digest: { sha256: digestOf(bytes) },
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(result === undefined ? {} : { annotations: runFacts(result) }),
  }
}

function runFacts({ seed, verdict, started_at, finished_at }: RunResult) {
  return { seed, verdict, started_at, finished_at }
}

/** Scenarios that passed in every run, and those that warned in one. The others had nothing to check. */
function testsOf(results: readonly RunResult[]) {
  const outcomes = new Map<string, string[]>()
  for (const { scenarios } of results)
    for (const { id, version, outcome } of scenarios) {
      const name = `${id}@${version}`
      outcomes.set(name, [...(outcomes.get(name) ?? []), outcome])
    }
  const namesOf = (isOne: (found: readonly string[]) => boolean) =>
    [...outcomes]
      .filter(([, found]) => isOne(found))
      .map(([name]) => name)
      .toSorted((one, other) => (one < other ? -1 : 1))
  return {
    passed: namesOf((found) => found.every((one) => one === 'pass')),
    warned: namesOf((found) => found.includes('warn')),
  }
}
