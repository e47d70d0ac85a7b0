import { ROLES, type RunResult, type ScenarioResult } from '../../result.ts'
import type { TranscriptEntry } from '../../transcripts/transcript-entry.ts'

/** A lane for each party of a transcript. */
export interface Lanes {
  /** The roles that were asked, in the order of a target file, then the TPM and the notes; those without an entry are left out. */
  readonly names: readonly string[]
  nameOf(entry: TranscriptEntry): string
  readonly roles: RunResult['target']['roles']
}

const TPM = 'TPM'
const NOTE = 'note'

const wordsOf = (role: string): string => role.replaceAll('_', ' ')

const originOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined

/** A request to an address that the target file does not name went to the role that the scenario tests, as to an agent that it starts. */
export function lanesOf(
  { role }: Pick<ScenarioResult, 'role'>,
  entries: readonly TranscriptEntry[],
  roles: RunResult['target']['roles'],
): Lanes {
  const byOrigin = new Map(
    roles.flatMap((one) => (one.url === undefined ? [] : [[originOf(one.url), one.role]])),
  )
  const nameOf = (entry: TranscriptEntry): string => {
    if (entry.lane === 'tpm') return TPM
    if (entry.lane === 'note') return NOTE
    return wordsOf(byOrigin.get(originOf(entry.request.url)) ?? role)
  }
  const present = new Set(entries.map(nameOf))
  const names = [...ROLES.map(wordsOf), TPM, NOTE].filter((name) => present.has(name))
  return { names, nameOf, roles }
}
