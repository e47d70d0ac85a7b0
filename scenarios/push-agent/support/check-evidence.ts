import {
  challengeIn,
  chosenFor,
  chosenPcrs,
  isSignedBy,
  type QuoteSeen,
  readEvidence,
  schemeOf,
  seeQuote,
} from '../../../conformance/oracle/push-evidence.ts'
import {
  attributesOf,
  documentOf,
  firstOf,
  takenOf,
} from '../../../conformance/oracle/recording-parts.ts'
import type { PushRecording, SentByAgent } from '../../../conformance/peers/push-agent-pool.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { listIn, member } from '../../../simulator/services/choose-evidence.ts'

export const EVIDENCE_REQUIREMENTS = [
  'PSH-SENDS-EVIDENCE',
  'PSH-EVIDENCE-ROUTE',
  'PSH-EVIDENCE-TYPE',
  'PSH-EVIDENCE-COLLECTED',
  'PSH-EVIDENCE-MATCHES',
  'PSH-EVIDENCE-ALL',
  'PSH-EVIDENCE-DEADLINE',
] as const

export const QUOTE_REQUIREMENTS = [
  'PSH-EVIDENCE-CHALLENGE',
  'PSH-EVIDENCE-SCHEME',
  'PSH-EVIDENCE-HASH',
  'PSH-EVIDENCE-SUBJECTS',
  'PSH-EVIDENCE-KEY',
  'PSH-EVIDENCE-SUBJECT-DATA',
  'PSH-EVIDENCE-MESSAGE',
  'PSH-EVIDENCE-SIGNATURE',
  'PSH-EVIDENCE-TRUE',
] as const

/** Checks the evidence of the recording as documents: route, members, and requested types. */
export function checkDocuments({ check }: Context, { operations, brokeOff }: PushRecording): void {
  const sent = takenOf(operations, 'evidence')
  check('PSH-SENDS-EVIDENCE', 'evidence that the verifier took')
    .of(sent.length)
    .matches('one for each cycle', (count) => count > 0)
  for (const operation of sent) {
    const { attestation, request } = operation
    const end = request.url.split('/').at(-1)
    check('PSH-EVIDENCE-ROUTE', 'where it is sent')
      .of(end)
      .isOneOf(['latest', String(attestation?.index)])
    check('PSH-EVIDENCE-TYPE', 'data.type').of(documentOf(operation)['type']).is('attestation')
    check('PSH-EVIDENCE-COLLECTED', 'evidence_collected')
      .of(Array.isArray(attributesOf(operation)['evidence_collected']))
      .is(true)
    const wanted = attestation?.requested.map(({ evidence_type }) => evidence_type) ?? []
    const { types } = readEvidence(operation)
    check('PSH-EVIDENCE-MATCHES', 'types that were not requested')
      .of(types.filter((type) => !wanted.includes(type)))
      .is([])
    check('PSH-EVIDENCE-MATCHES', 'types that were sent twice')
      .of(types.filter((type, at) => types.indexOf(type) < at))
      .is([])
    const classOf = (type: unknown) =>
      attestation?.requested.find((one) => one.evidence_type === type)?.evidence_class
    check('PSH-EVIDENCE-MATCHES', 'types with another class than the requested one')
      .of(
        listIn(attributesOf(operation)['evidence_collected'])
          .filter(
            (item) => member(item, 'evidence_class') !== classOf(member(item, 'evidence_type')),
          )
          .map((item) => member(item, 'evidence_type')),
      )
      .is([])
    check('PSH-EVIDENCE-ALL', 'types that were requested and not sent')
      .of(wanted.filter((type) => !types.includes(type)))
      .is([])
    check('PSH-EVIDENCE-DEADLINE', 'sent in time').of(isInTime(operation, operations)).is(true)
  }
  check('PSH-SENDS-EVIDENCE', 'why it sent no more').of(brokeOff).is(undefined)
}

/** Whether evidence arrived before `challenges_expire_at` of the capabilities that it answers. */
function isInTime(
  { request, attestation }: PushOperation,
  operations: readonly PushOperation[],
): boolean {
  const began = operations.find(
    (one) => one.step === 'capabilities' && one.attestation?.index === attestation?.index,
  )
  return began !== undefined && request.at - began.request.at < CHALLENGE_MS
}

/** Default lifetime of a challenge at the verifier, in milliseconds. */
const CHALLENGE_MS = 60_000

/** Compares every quote with the state of its machine on arrival. */
export async function checkQuotes(
  context: Context,
  { operations, registrar, id }: SentByAgent,
): Promise<void> {
  firstOf(operations, 'evidence')
  const aikTpm = registrar.registrationOf(id)?.body['aik_tpm']
  for (const operation of takenOf(operations, 'evidence')) {
    const chosen = chosenFor(operation, 'tpm_quote')
    checkQuote(context, await seeQuote(operation), { operation, chosen, aikTpm })
  }
}

interface QuoteContext {
  readonly operation: PushOperation
  readonly chosen: ReturnType<typeof chosenFor>
  readonly aikTpm: unknown
}

const OWN_PCR = 16

function checkQuote(
  { check, observe }: Context,
  seen: QuoteSeen,
  { operation, chosen, aikTpm }: QuoteContext,
): void {
  const { read } = seen
  check('PSH-EVIDENCE-MESSAGE', 'message is base64').of(read.encoded.message).is(true)
  check('PSH-EVIDENCE-MESSAGE', 'message is a quote of a TPM').of(seen.isQuote).is(true)
  check('PSH-EVIDENCE-SIGNATURE', 'signature is base64').of(read.encoded.signature).is(true)
  check('PSH-EVIDENCE-KEY', 'signed by the key that was registered')
    .of(isSignedBy(read, aikTpm))
    .is(true)
  const form = challengeIn(read, operation.attestation?.challenge ?? '')
  check('PSH-EVIDENCE-CHALLENGE', 'the challenge in it').of(form).isOneOf(['decoded', 'text'])
  check('PSH-EVIDENCE-SCHEME', 'the scheme')
    .of<unknown>(schemeOf(read))
    .is(chosen?.['signature_scheme'])
  check('PSH-EVIDENCE-HASH', 'the bank').of<unknown>(seen.bank).is(chosen?.['hash_algorithm'])
  const requested = chosenPcrs(chosen).toSorted((one, other) => one - other)
  const others = seen.pcrs.filter((pcr) => pcr !== OWN_PCR || requested.includes(OWN_PCR))
  check('PSH-EVIDENCE-SUBJECTS', 'PCRs').of<readonly number[]>(others).is(requested)
  check('PSH-EVIDENCE-SUBJECT-DATA', 'an object of texts by PCR number').of(seen.isObject).is(true)
  check('PSH-EVIDENCE-SUBJECT-DATA', 'its values digest to what was signed').of(seen.fits).is(true)
  check('PSH-EVIDENCE-TRUE', "PCRs whose value is not the machine's").of(seen.untrue).is([])
  observe('NONCEENC', 'the form of the challenge in a quote', form)
  observe('PCRENC', 'the form of the values', seen.valueForm)
  observe('QUOTEENC', 'the form of the structures', read.form)
}
