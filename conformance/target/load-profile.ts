import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Requirement } from '../catalogue/requirement.ts'
import { SetupFault } from '../input/fault.ts'
import { nearest } from '../input/nearest.ts'
import { packageRoot } from '../input/package-root.ts'
import { readYaml } from '../input/read-yaml.ts'
import type { KnownDifference, Profile } from './deviations.ts'

const PROFILES = join(packageRoot(), 'conformance', 'catalogue', 'profiles')
const MEMBERS = ['requirement', 'what', 'received', 'source']

/** Names of the shipped deviation profiles, sorted. */
export function profileNames(directory = PROFILES): readonly string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort()
}

/**
 * The deviation profile of that name: publicly known differences of one product, row by row.
 *
 * @throws {SetupFault} for an unknown name
 * @throws {Error} for an incomplete row, an unknown requirement or a security requirement: a defect of the suite
 */
export function loadProfile(
  name: string,
  requirements: readonly Requirement[],
  directory = PROFILES,
): Profile {
  refuseUnknown(name, profileNames(directory))
  const file = `${name}.yaml`
  const profile: unknown = readYaml(join(directory, file))
  const rows = readRows(file, name, profile).map((row, at) => {
    const problem = problemOf(row, requirements)
    if (problem !== undefined) throw new Error(`${file}: rows[${at}] ${problem}`)
    return row as KnownDifference
  })
  refuseDuplicates(file, rows)
  return { name, rows }
}

function refuseUnknown(name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const near = nearest(name, known)
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean ${near}?`
  throw new SetupFault(`there is no deviation profile ${JSON.stringify(name)}; ${hint}`)
}

function readRows(file: string, name: string, profile: unknown): readonly unknown[] {
  const { name: stated, rows, ...rest } = Object(profile) as Readonly<Record<string, unknown>>
  const [surplus] = Object.keys(rest)
  if (surplus !== undefined) throw new Error(`${file}: a profile has no member ${surplus}`)
  if (stated !== name) throw new Error(`${file}: its name is ${String(stated)}`)
  if (Array.isArray(rows) && rows.length > 0) return rows
  throw new Error(`${file}: it has no rows`)
}

/** The problem of a row, as the end of a sentence. */
function problemOf(row: unknown, requirements: readonly Requirement[]): string | undefined {
  const members = Object(row) as Readonly<Record<string, unknown>>
  const surplus = Object.keys(members).find((member) => !MEMBERS.includes(member))
  if (surplus !== undefined) return `has the unknown member ${surplus}`
  const { what = 'any check' } = members
  const missing = MEMBERS.find((member) => !isText({ ...members, what }[member]))
  if (missing !== undefined) return `lacks ${missing}`
  const excused = requirements.find(({ id }) => id === members['requirement'])
  if (excused === undefined)
    return `covers ${String(members['requirement'])}, which is no requirement`
  if (excused.security) return `covers ${excused.id}, and a security requirement cannot be excused`
  return undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function refuseDuplicates(file: string, rows: readonly KnownDifference[]): void {
  const seen = new Set<string>()
  for (const { requirement, what = '' } of rows) {
    const key = JSON.stringify([requirement, what])
    if (seen.has(key)) throw new Error(`${file}: ${requirement} appears twice with the same`)
    seen.add(key)
  }
}
