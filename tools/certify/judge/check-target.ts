import { parse } from 'yaml'
import type { CertificateProfile } from '../../../conformance/catalogue/certification/profiles.ts'
import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import type { RunResult } from '../../../conformance/report/result.ts'
import type { Refusal } from './refusal.ts'

/** What a target file says of a deployment. */
export interface TargetClaims {
  readonly roles: readonly string[]
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
}

/** What a profile requires and the target does not claim. */
export function refuseTarget(
  { name, roles, versions, capabilities }: CertificateProfile,
  target: TargetClaims,
): readonly Refusal[] {
  const { since, until } = versions
  const range = until === undefined ? `${since} or later` : `${since} to ${until}`
  const lacking = (what: string, next: string): Refusal => ({
    says: `the profile ${name} requires ${what}, which the target file does not list`,
    next,
  })
  return [
    ...roles
      .filter((role) => !target.roles.includes(role))
      .map((role) => lacking(`the role ${role}`, `add ${role} to roles of the target file`)),
    ...(target.versions.some((version) => applies(versions, version))
      ? []
      : [lacking(`an API version of ${range}`, 'add one to versions of the target file')]),
    ...capabilities
      .filter((word) => !target.capabilities.includes(word))
      .map((word) =>
        lacking(
          `the capability ${word}`,
          `add ${word} to capabilities of the target file if the deployment has it; without it there is no certificate`,
        ),
      ),
  ]
}

/** Members of a target file that excuse failures. */
const EXCUSES = ['waivers', 'profile']

/** What a target file excuses, and where it differs from what the runs say of their target. */
export function refuseTargetFile(
  name: string,
  text: string,
  runs: Pick<RunResult['target'], 'name' | 'versions' | 'capabilities'>,
): readonly Refusal[] {
  const members = membersOf(text)
  if (members === undefined)
    return [{ says: `${name} is not a target file`, next: 'give the target file of the runs' }]
  const excuses = EXCUSES.filter((word) => members[word] !== undefined).map((word) => ({
    says: `${name} has ${word}, and a certificate allows no excuse`,
    next: `remove ${word} from the target file, and mend what it excuses`,
  }))
  const differ = (['name', 'versions', 'capabilities'] as const)
    .filter((word) => !isSame(members[word] ?? [], runs[word] ?? []))
    .map((word) => ({
      says: `${name} has other ${word} than the runs`,
      next: 'give the target file of the runs',
    }))
  return [...excuses, ...differ]
}

/** A value with a placeholder cannot be compared. */
function isSame(written: unknown, used: unknown): boolean {
  const text = JSON.stringify(written)
  return text.includes('${') || text === JSON.stringify(used)
}

function membersOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
