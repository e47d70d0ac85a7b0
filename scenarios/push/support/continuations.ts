import type { Defect } from '../../../conformance/client/agents/evidence.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { text, toHex } from '../../../simulator/tpm/write.ts'

/** What a machine does, or alters in its list, after an attestation that passed. */
export interface Continuation {
  /** Completes "evaluation of a list that goes on …". */
  readonly says: string
  readonly play?: string
  readonly change?: Defect
  /** The requirement that the list does not pass, and the reason. */
  readonly breaks: string
  readonly reason?: readonly [requirement: string, reason: string]
}

/** A file that the policy lists. */
export const LISTED = '/usr/bin/listed'
export const LISTED_DIGEST = toHex(digest('sha256', text(LISTED)))

const TWO_MORE = `measure ${LISTED}\nmeasure ${LISTED}`
/** More failures than a verifier is likely to keep. */
const UNLISTED = Array.from({ length: 300 }, (_, at) => `measure /usr/bin/unlisted-${at}`).join(
  '\n',
)
const REASON_BROKEN = ['ATT-REASON-BROKEN', 'broken_evidence_chain'] as const
const REASON_POLICY = ['ATT-REASON-POLICY', 'policy_violation'] as const

/** Edits the list as text. */
function list(edit: (list: string) => string): Defect {
  return { imaList: (bytes) => text(edit(new TextDecoder().decode(bytes))) }
}

/** Edits the last line. */
function lastLine(edit: (line: string) => string): Defect {
  return list((lines) => lines.replace(/[^\n]+\n$/, edit))
}

function altered(says: string, change: Defect): Continuation {
  return { says, play: TWO_MORE, change, breaks: 'ATT-EVIDENCE-BENT', reason: REASON_BROKEN }
}

/** Lists whose beginning passed, and whose continuation must not. */
export const CONTINUATIONS: readonly Continuation[] = [
  {
    says: 'with a file that is not listed',
    play: `measure ${LISTED}\nmeasure /usr/bin/unlisted`,
    ...{ breaks: 'ATT-RUNTIME-POLICY-JUDGES', reason: REASON_POLICY },
  },
  {
    says: 'with a file that is not listed before one that is',
    play: `measure /usr/bin/unlisted\nmeasure ${LISTED}`,
    ...{ breaks: 'ATT-RUNTIME-POLICY-JUDGES', reason: REASON_POLICY },
  },
  {
    says: 'with other content at a listed path',
    play: `measure ${LISTED}\nmeasure ${LISTED} ${'5a'.repeat(32)}`,
    ...{ breaks: 'ATT-RUNTIME-POLICY-JUDGES', reason: REASON_POLICY },
  },
  { says: 'with a violation', play: `violation ${LISTED}`, breaks: 'ATT-IMA-VIOLATION' },
  altered(
    'without its last entry',
    lastLine(() => ''),
  ),
  altered(
    'with another path in its last entry',
    lastLine((line) => line.replace(LISTED, '/usr/bin/other')),
  ),
  altered(
    'with a false template hash',
    lastLine((line) => line.replace(/ [0-9a-f]{8}/, ' 5a5a5a5a')),
  ),
  {
    says: 'with three hundred files that are not listed',
    play: UNLISTED,
    ...{ breaks: 'ATT-RUNTIME-POLICY-JUDGES', reason: REASON_POLICY },
  },
  altered(
    'with a line that is no entry',
    list((lines) => `${lines}# a comment\n`),
  ),
]
