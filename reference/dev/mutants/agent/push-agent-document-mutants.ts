import type { Mutant } from '../evidence/list-minus-one.ts'
import { mutating, pushing, type Step, saying } from './mutate-push-agent.ts'

const OTHER_AGENT = '00000000-0000-4000-8000-000000000000'
const QUOTE = 'attributes.evidence_supported.*.evidence_type=tpm_quote.capabilities'
const LIST = 'attributes.evidence_supported.*.evidence_type=ima_log.capabilities'
const KEY = `${QUOTE}.certification_keys.*`

/** Lines of 64 characters, as PEM has them. */
const inLines = (text: unknown) => String(text).replace(/(.{64})/g, '$1\n')
const unpadded = (text: unknown) => String(text).replace(/=+$/, '')

type Row = readonly [
  id: string,
  defect: string,
  step: Step,
  path: string,
  to: (was: unknown) => unknown,
]

/** One member that is not as the document has it. */
const MEMBERS: readonly Row[] = [
  [
    'session-type',
    'the type of a session request is the plural',
    'session',
    'type',
    () => 'sessions',
  ],
  [
    'session-of-another',
    'a session is opened for another agent',
    'session',
    'attributes.agent_id',
    () => OTHER_AGENT,
  ],
  [
    'method-unknown',
    'another method is supported',
    'session',
    'attributes.authentication_supported.*.authentication_type',
    () => 'tpm_ek',
  ],
  [
    'proof-without-agent',
    'a proof does not say whose it is',
    'proof',
    'attributes.agent_id',
    () => undefined,
  ],
  [
    'proof-in-lines',
    'the message of a proof has line breaks',
    'proof',
    'attributes.authentication_provided.*.data.message',
    inLines,
  ],
  [
    'proof-signature-unpadded',
    'the signature of a proof lacks its padding',
    'proof',
    'attributes.authentication_provided.*.data.signature',
    unpadded,
  ],
  [
    'no-system-info',
    'capabilities come without system_info',
    'capabilities',
    'attributes.system_info',
    () => undefined,
  ],
  [
    'class-unknown',
    'the class of a log is another word',
    'capabilities',
    'attributes.evidence_supported.*.evidence_class',
    (was) => (was === 'log' ? 'logs' : was),
  ],
  [
    'subjects-by-bank',
    'available_subjects is an object',
    'capabilities',
    `${QUOTE}.available_subjects`,
    (was) => ({ sha256: was }),
  ],
  ['key-in-lines', 'the public key is in lines', 'capabilities', `${KEY}.public`, inLines],
  [
    'count-as-text',
    'entry_count of the list is a text',
    'capabilities',
    `${LIST}.entry_count`,
    String,
  ],
  [
    'formats-no-media-type',
    'formats of the list are no media types',
    'capabilities',
    `${LIST}.formats`,
    () => ['ascii'],
  ],
  [
    'evidence-by-type',
    'evidence_collected is an object',
    'evidence',
    'attributes.evidence_collected',
    (was) => ({ all: was }),
  ],
  [
    'evidence-beside',
    'evidence comes with a log that was not requested',
    'evidence',
    'attributes.evidence_collected',
    withForeignItem,
  ],
  [
    'boot-log-never',
    'the firmware log is not sent',
    'evidence',
    'attributes.evidence_collected',
    withoutBootLog,
  ],
  [
    'signature-unpadded',
    'the signature of a quote lacks its padding',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=tpm_quote.data.signature',
    unpadded,
  ],
  [
    'subjects-in-a-list',
    'subject_data is a list of values',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=tpm_quote.data.subject_data',
    (was) => Object.values(was as object),
  ],
  [
    'values-altered',
    'the value of PCR 10 is another',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=tpm_quote.data.subject_data.10',
    (was) => String(was).replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  ],
  [
    'entries-in-a-list',
    'entries are a list of lines',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=ima_log.data.entries',
    (was) => String(was).split('\n'),
  ],
  [
    'entries-altered',
    'the first digest of the list is another',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=ima_log.data.entries',
    (was) => String(was).replace(/^10 ./, '10 f'),
  ],
  [
    'count-one-more',
    'entry_count is one more than the entries',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=ima_log.data.entry_count',
    (was) => Number(was) + 1,
  ],
  [
    'boot-log-altered',
    'the first event of the firmware log is of another PCR',
    'evidence',
    'attributes.evidence_collected.*.evidence_type=uefi_log.data.entries',
    (was) => String(was).replace(/^A/, 'B'),
  ],
]

function withForeignItem(was: unknown): unknown {
  const item = { evidence_class: 'log', evidence_type: 'dmesg', data: { entries: '' } }
  return [...(was as readonly unknown[]), item]
}

function withoutBootLog(was: unknown): unknown {
  const items = was as readonly { readonly evidence_type: string }[]
  return items.filter(({ evidence_type }) => evidence_type !== 'uefi_log')
}

/** Push agents that say one thing in their documents that is not as it should be, or at another place. */
export const PUSH_DOCUMENT_MUTANTS: readonly Mutant[] = [
  ...MEMBERS.map(([id, defect, step, path, to]) => pushing(id, defect, saying(step, path, to))),
  pushing(
    'negotiates-for-another',
    'capabilities are posted to another agent',
    mutating('capabilities', (question) => ({
      ...question,
      path: question.path.replace(/agents\/[^/]+/, `agents/${OTHER_AGENT}`),
    })),
  ),
  pushing(
    'evidence-to-another-index',
    'evidence is sent to the next attestation',
    mutating('evidence', (question) => ({
      ...question,
      path: question.path.replace(/(\d+)$/, (index) => String(Number(index) + 1)),
    })),
  ),
]
