import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { reasonOfSystem, SetupFault } from '../input/fault.ts'
import type { Waiver } from './deviations.ts'

/** The part of a scenario that waivers refer to. */
type ScenarioHead = { readonly id: string; readonly requirements: readonly string[] }

const MEMBERS = new Set(['scenario', 'requirement', 'what', 'reason', 'link', 'expires'])
const NEEDED = ['scenario', 'requirement', 'reason', 'link', 'expires'] as const
const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * Reads a waiver file: a list of {scenario, requirement, what?, reason, link, expires}. Each waiver names one check
 * exactly: a pattern would hide a second failure. A security requirement cannot be waived.
 */
export function loadWaivers(
  file: string,
  requirements: readonly CatalogueRow[],
  scenarios: readonly ScenarioHead[],
): readonly Waiver[] {
  const rows = readRows(file)
  if (!Array.isArray(rows)) throw fault(file, 0, 'the file is not a list of waivers')
  return rows.map((row: unknown, at) => {
    const waiver = checkShape(file, at + 1, row)
    checkReferences(file, at + 1, waiver, requirements, scenarios)
    return waiver
  })
}

function checkShape(file: string, number: number, row: unknown): Waiver {
  if (typeof row !== 'object' || row === null) throw fault(file, number, 'is not an object')
  const members = row as Readonly<Record<string, unknown>>
  const unknown = Object.keys(members).find((name) => !MEMBERS.has(name))
  if (unknown !== undefined) throw fault(file, number, `has the unknown member ${unknown}`)
  const missing = NEEDED.find((name) => typeof members[name] !== 'string' || members[name] === '')
  if (missing !== undefined) throw fault(file, number, `has no ${missing}`)
  if (!DATE.test(String(members.expires)))
    throw fault(file, number, 'expires: expected a date such as 2027-01-31')
  return row as Waiver
}

function checkReferences(
  file: string,
  number: number,
  { scenario, requirement }: Waiver,
  requirements: readonly CatalogueRow[],
  scenarios: readonly ScenarioHead[],
): void {
  const known = scenarios.find(({ id }) => id === scenario)
  if (known === undefined) throw fault(file, number, `there is no scenario ${scenario}`)
  if (!known.requirements.includes(requirement)) {
    throw fault(file, number, `${scenario} makes no check for ${requirement}`)
  }
  if (requirements.find(({ id }) => id === requirement)?.security === true) {
    throw fault(file, number, `${requirement} is a security requirement, which cannot be waived`)
  }
}

function fault(file: string, number: number, problem: string): SetupFault {
  return new SetupFault(`${file}, waiver ${number}: ${problem}`, {
    next: 'correct or remove the waiver; docs/dialects-and-waivers.md shows its members',
  })
}

function readRows(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new SetupFault(`the waiver file ${file} cannot be read: ${reasonOfSystem(cause)}`, {
      next: 'correct --waivers, or the file; docs/dialects-and-waivers.md shows its members',
      cause,
    })
  }
}
