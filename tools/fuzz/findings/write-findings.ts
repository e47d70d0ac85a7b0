import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOfSystem, SetupFault } from '../../../conformance/input/fault.ts'
import { makeDirectory } from '../../../conformance/input/make-directory.ts'
import { KIND_NAMES } from '../kinds.ts'
import { type Finding, ranked, SEVERITIES } from './finding.ts'

/** A finding, and the file that it was written to. */
export interface WrittenFinding {
  readonly finding: Finding
  readonly file: string
}

/** Writes each finding to a file of its own below `<out>/fuzz`, the worst first. */
export function writeFindings(
  findings: readonly Finding[],
  out: string,
): readonly WrittenFinding[] {
  const directory = join(out, 'fuzz')
  if (findings.length > 0) makeDirectory(directory)
  return ranked(findings).map((finding, at) => {
    const { kind, seed, severity } = finding
    const number = String(at + 1).padStart(2, '0')
    const file = join(directory, `${kind}-${seed}-${number}-${severity.replaceAll(' ', '-')}.json`)
    // It holds answers of the deployment; other users of this machine need not read them.
    writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`, { mode: 0o600 })
    return { finding, file }
  })
}

function isFinding(value: unknown): value is Finding {
  const { schema, kind, severity, route, shots } = (value ?? {}) as Partial<Finding>
  const known =
    KIND_NAMES.some((name) => name === kind) && SEVERITIES.some((one) => one === severity)
  return (
    schema === 'assay.fuzz-finding/1' && known && typeof route === 'string' && Array.isArray(shots)
  )
}

const FROM_CAMPAIGN = 'name a file that a campaign has written below reports/out/fuzz'

/** Reads a finding's file. Throws a {@link SetupFault} when it is none. */
export function loadFinding(file: string): Finding {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new SetupFault(`${file} cannot be read as a finding: ${reasonOfSystem(cause)}`, {
      next: FROM_CAMPAIGN,
      cause,
    })
  }
  if (isFinding(value)) return value
  throw new SetupFault(`${file} is no finding of assay fuzz`, {
    next: FROM_CAMPAIGN,
  })
}
