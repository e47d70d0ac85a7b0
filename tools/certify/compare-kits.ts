import { keyIdOf } from './kit/envelope.ts'
import type { Statement } from './kit/statement.ts'
import type { Verified } from './kit/verify-kit.ts'

/** The differences of two certificates, one line for each; empty if they say the same. */
export function compareKits(
  before: Required<Verified>,
  after: Required<Verified>,
): readonly string[] {
  return [
    ...FACTS.flatMap(([what, of]) => {
      const [one, other] = [of(before), of(after)]
      return one === other ? [] : [`${what}: ${one}, then ${other}`]
    }),
    ...changes('row covered', coveredIn(before), coveredIn(after)),
    ...changes(
      'passed',
      before.statement.predicate.passedTests,
      after.statement.predicate.passedTests,
    ),
    ...changes(
      'warned',
      before.statement.predicate.warnedTests,
      after.statement.predicate.warnedTests,
    ),
  ]
}

const FACTS: readonly (readonly [what: string, of: (kit: Required<Verified>) => string])[] = [
  ['profile', ({ parts }) => parts.catalogue.profile.name],
  ['subjects', ({ statement }) => subjectsOf(statement)],
  ['deployment', ({ parts }) => parts.runs[0]?.result.target.name ?? ''],
  ['dialect', ({ parts }) => parts.runs[0]?.result.target.dialect ?? ''],
  ['API versions', ({ parts }) => (parts.runs[0]?.result.target.versions ?? []).join(' ')],
  ['capabilities', ({ parts }) => (parts.runs[0]?.result.target.capabilities ?? []).join(' ')],
  ['signature', ({ parts }) => parts.signed],
  ['key', ({ key }) => keyIdOf(key)],
]

function subjectsOf({ subject }: Statement): string {
  return subject.map(({ name, digest }) => `${name} sha256:${digest.sha256}`).join(', ')
}

function coveredIn({ parts, statement }: Required<Verified>): readonly string[] {
  const left = JSON.stringify(
    statement.predicate.configuration[1]?.annotations?.['rows_not_covered'],
  )
  return parts.catalogue.rows.map(({ id }) => id).filter((id) => !left.includes(`"${id}"`))
}

function changes(what: string, before: readonly string[], after: readonly string[]) {
  const [old, now] = [new Set(before), new Set(after)]
  return [
    ...before.filter((one) => !now.has(one)).map((one) => `no longer ${what}: ${one}`),
    ...after.filter((one) => !old.has(one)).map((one) => `newly ${what}: ${one}`),
  ]
}
