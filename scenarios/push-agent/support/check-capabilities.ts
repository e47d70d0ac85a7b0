import { capture } from '../../../conformance/attempt/capture.ts'
import { show } from '../../../conformance/attempt/check.ts'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { namesOfKey } from '../../../conformance/oracle/key-names.ts'
import { isBase64 } from '../../../conformance/oracle/read-quote.ts'
import { attributesOf, documentOf, takenOf } from '../../../conformance/oracle/recording-parts.ts'
import type { SentByAgent } from '../../../conformance/peers/push-agent-pool.ts'
import type { PushAgentProcess } from '../../../conformance/peers/push-agent-process.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { listIn, member } from '../../../simulator/services/choose-evidence.ts'
import { parseTpm2bPublic, type TPMT_PUBLIC } from '../../../simulator/tpm/public.ts'

type Rule = readonly [requirement: string, member: string, expected: string, holds: Holds]
type Holds = (value: unknown) => boolean

const isText: Holds = (value) => typeof value === 'string' && value !== ''
const isInteger: Holds = (value) => Number.isInteger(value)
const isBoolean: Holds = (value) => typeof value === 'boolean'
const listOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(holds)
const isPcr: Holds = (value) => isInteger(value) && Number(value) >= 0 && Number(value) < 24
const isObject: Holds = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const QUOTE_RULES: readonly Rule[] = [
  ['PSH-QUOTE-SCHEMES', 'signature_schemes', 'a list of texts', listOf(isText)],
  ['PSH-QUOTE-HASHES', 'hash_algorithms', 'a list of texts', listOf(isText)],
  ['PSH-QUOTE-SUBJECTS', 'available_subjects', 'a list of PCR numbers', listOf(isPcr)],
  ['PSH-QUOTE-KEYS', 'certification_keys', 'a list of objects', listOf(isObject)],
  ['PSH-QUOTE-COMPONENT-VERSION', 'component_version', 'a text', isText],
  ['PSH-QUOTE-EVIDENCE-VERSION', 'evidence_version', 'a text', isText],
]

const KEY_RULES: readonly Rule[] = [
  ['PSH-KEY-CLASS', 'key_class', 'a text', isText],
  ['PSH-KEY-ALGORITHM', 'key_algorithm', 'a text', isText],
  ['PSH-KEY-SIZE', 'key_size', 'an integer', isInteger],
  ['PSH-KEY-SERVER-IDENTIFIER', 'server_identifier', 'a text', isText],
  ['PSH-KEY-SCHEMES', 'allowable_signature_schemes', 'a list of texts', listOf(isText)],
  ['PSH-KEY-HASHES', 'allowable_hash_algorithms', 'a list of texts', listOf(isText)],
  ['PSH-KEY-PUBLIC', 'public', 'base64', (value) => isText(value) && isBase64(String(value))],
]

const LIST_RULES: readonly Rule[] = [
  ['PSH-LIST-COUNT', 'entry_count', 'an integer', isInteger],
  ['PSH-LIST-PARTIAL', 'supports_partial_access', 'a boolean', isBoolean],
  ['PSH-LIST-APPENDABLE', 'appendable', 'a boolean', isBoolean],
  [
    'PSH-LIST-FORMATS',
    'formats',
    'a list of media types',
    listOf((value) => /^[\w.+-]+\/[\w.+-]+$/.test(String(value))),
  ],
  ['PSH-LIST-COMPONENT-VERSION', 'component_version', 'a text', isText],
  ['PSH-LIST-EVIDENCE-VERSION', 'evidence_version', 'a text', isText],
]

const OWN = [
  'PSH-NEGOTIATES-ROUTE',
  'PSH-NEGOTIATES-TYPE',
  'PSH-NEGOTIATES-SUPPORTED',
  'PSH-NEGOTIATES-SYSTEM-INFO',
  'PSH-NEGOTIATES-BOOT-TIME',
  'PSH-BOOT-TIME-STEADY',
  'PSH-SUPPORTED-CLASS',
  'PSH-SUPPORTED-TYPE',
  'PSH-SUPPORTED-CAPABILITIES',
  'PSH-SUPPORTED-PAIRS',
] as const

export const CAPABILITY_REQUIREMENTS: readonly string[] = [
  ...OWN,
  ...[QUOTE_RULES, KEY_RULES, LIST_RULES].flat().map(([requirement]) => requirement),
  'PSH-KEY-KIND',
]

const CLASSES = ['certification', 'log']
const TYPES = ['tpm_quote', 'ima_log', 'uefi_log']
const PAIRS: Readonly<Record<string, string>> = {
  tpm_quote: 'certification',
  ima_log: 'log',
  uefi_log: 'log',
}
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

/** Checks every offer. */
export function checkCapabilities(context: Context, recording: SentByAgent): void {
  const { check, observe } = context
  const { operations, id } = recording
  const offers = takenOf(operations, 'capabilities')
  checkKeys(context, recording)
  checkCounts(context, operations)
  check('PSH-NEGOTIATES-ROUTE', 'offers to its own attestations')
    .of(offers.filter(({ request: { url } }) => url.includes(`/agents/${id}/attestations`)).length)
    .matches('one at least', (count) => count > 0)
  for (const offer of offers) {
    const { evidence_supported: supported, system_info: info } = attributesOf(offer)
    check('PSH-NEGOTIATES-TYPE', 'data.type').of(documentOf(offer)['type']).is('attestation')
    check('PSH-NEGOTIATES-SUPPORTED', 'evidence_supported').of(Array.isArray(supported)).is(true)
    check('PSH-NEGOTIATES-SYSTEM-INFO', 'system_info').of(isObject(info)).is(true)
    const boot = member(info, 'boot_time')
    check('PSH-NEGOTIATES-BOOT-TIME', 'boot_time')
      .of(boot)
      .meets({
        'ISO 8601': (time) => ISO_8601.test(String(time)),
        seconds: (time) => typeof time === 'number' && time >= 0,
      })
    checkItems(context, listIn(supported))
  }
  checkBootTimes(context, offers)
  const [first] = offers.map((offer) => listIn(attributesOf(offer)['evidence_supported']))
  const uefi = first?.find((item) => member(item, 'evidence_type') === 'uefi_log')
  observe('UEFISHAPE', 'capabilities of the firmware log', member(uefi, 'capabilities'))
}

/** Milliseconds by which an instant of the boot may move, as it may be counted in whole seconds. */
const SECOND_MS = 1000

/** Checks that an instant of the boot does not move with the offers; an agent that counts seconds since then gives none. */
export function checkBootTimes(
  { check }: Pick<Context, 'check'>,
  offers: readonly PushOperation[],
): void {
  const boots = offers
    .map((offer) => member(attributesOf(offer)['system_info'], 'boot_time'))
    .flatMap((boot) => (typeof boot === 'string' ? [Date.parse(boot)] : []))
  if (boots.length < 2) return
  check('PSH-BOOT-TIME-STEADY', `milliseconds by which boot_time moves in ${boots.length} offers`)
    .of(Math.max(...boots) - Math.min(...boots))
    .matches(`at most ${SECOND_MS}`, (moved) => moved <= SECOND_MS)
}

/** Members of the capabilities of one evidence type, in each offer. */
function offered(operations: readonly PushOperation[], type: string): readonly unknown[] {
  return takenOf(operations, 'capabilities').map((offer) => {
    const items = listIn(attributesOf(offer)['evidence_supported'])
    return member(
      items.find((item) => member(item, 'evidence_type') === type),
      'capabilities',
    )
  })
}

/** Waits for the first offer. Returns false if the agent exits or a time limit passes. */
export async function offersAnything({ took }: Pick<PushAgentProcess, 'took'>): Promise<boolean> {
  const failure = await capture(async () => void (await took('capabilities')))
  if (failure === undefined || failure instanceof PrerequisiteFailed) return failure === undefined
  throw failure
}

/** Checks that no offer names one of these PCRs, in a list or in a list for each bank. */
export function checkMissingPcrs(
  { check }: Pick<Context, 'check'>,
  operations: readonly PushOperation[],
  missing: readonly number[],
): void {
  for (const quote of offered(operations, 'tpm_quote')) {
    const subjects = member(quote, 'available_subjects')
    check('PSH-QUOTE-SUBJECTS', 'available_subjects')
      .of(subjects)
      .matches('a list of PCR numbers', listOf(isPcr))
    const named = Object.values(Object(subjects)).flat()
    check('PSH-QUOTE-SUBJECTS', 'PCRs in available_subjects that the TPM does not have')
      .of(missing.filter((pcr) => named.includes(pcr)))
      .is([])
  }
}

/** The `entry_count` of each offer. */
export function offeredCounts(operations: readonly PushOperation[]): readonly number[] {
  return offered(operations, 'ima_log').map((list) => Number(member(list, 'entry_count')))
}

/** The registered attestation key. @throws {PrerequisiteFailed} if the agent has registered none */
function registeredKeyOf(aikTpm: unknown): TPMT_PUBLIC {
  try {
    return parseTpm2bPublic(unbase64(String(aikTpm)))
  } catch {
    throw new PrerequisiteFailed({
      ...{ requirement: 'PSH-REGISTERS-AIK', what: 'the registered attestation key' },
      ...{ expected: 'a TPM2B_PUBLIC', received: show(aikTpm) },
    })
  }
}

/** What a verifier may choose, as the quote and each key name it. */
const CHOICES = [
  ['PSH-QUOTE-SCHEMES', 'signature_schemes', 'allowable_signature_schemes'],
  ['PSH-QUOTE-HASHES', 'hash_algorithms', 'allowable_hash_algorithms'],
] as const

/** Whether each key can be used with one at least of what the quote names; true if one of them names nothing. */
function hasCommon(quote: unknown, all: string, ofKey: string): boolean {
  const names = listIn(member(quote, all))
  return listIn(member(quote, 'certification_keys')).every((key) => {
    const own = listIn(member(key, ofKey))
    return names.length === 0 || own.length === 0 || own.some((one) => names.includes(one))
  })
}

/**
 * Checks that an offered key has the number of the registered one, as every encoding of a public key contains it, and
 * that its kind and length are those of the registered one. What a quote names can be chosen with a key.
 */
function checkKeys({ check }: Context, { operations, registrar, id }: SentByAgent): void {
  const aikTpm = registrar.registrationOf(id)?.body['aik_tpm']
  const key = registeredKeyOf(aikTpm)
  const number = Buffer.from(key.type === 'rsa' ? key.unique : key.x)
  const isOther = (one: unknown) =>
    !Buffer.from(unbase64(String(member(one, 'public')))).includes(number)
  const keys = offered(operations, 'tpm_quote').map((quote) =>
    listIn(member(quote, 'certification_keys')),
  )
  check('PSH-KEY-PUBLIC', 'offers whose keys are all others than the registered one')
    .of(keys.filter((own) => own.length > 0 && own.every(isOther)).length)
    .is(0)
  for (const [requirement, all, ofKey] of CHOICES)
    check(requirement, `offers with a key that has none of their ${all} in ${ofKey}`)
      .of(offered(operations, 'tpm_quote').filter((quote) => !hasCommon(quote, all, ofKey)).length)
      .is(0)
  const kinds = namesOfKey(String(aikTpm))
  for (const own of keys.flat().filter((one) => !isOther(one)))
    check('PSH-KEY-KIND', 'key_algorithm and key_size')
      .of(`${member(own, 'key_algorithm')}${member(own, 'key_size')}`)
      .isOneOf(kinds)
}

/** Checks the counts of entries: the list grows between two pieces of evidence, and not otherwise. */
export function checkCounts({ check }: Context, operations: readonly PushOperation[]): void {
  const lengths = takenOf(operations, 'evidence').map(({ known }) => known?.list.length ?? 0)
  const counts = offeredCounts(operations)
  const wrong = counts.slice(0, lengths.length).filter((count, at) => {
    const [before = 0, after = 0] = [lengths[at - 1] ?? lengths[0], lengths[at]]
    return count < before || count > after
  })
  check('PSH-LIST-COUNT', 'counts that are not the number of entries at that time').of(wrong).is([])
}

function checkItems({ check, observe }: Context, items: readonly unknown[]): void {
  const holding = (rules: readonly Rule[], of: unknown) => {
    for (const [requirement, name, expected, holds] of rules)
      check(requirement, name).of(member(of, name)).matches(expected, holds)
  }
  for (const item of items) {
    const [kind, type] = [member(item, 'evidence_class'), member(item, 'evidence_type')]
    const offered = member(item, 'capabilities')
    check('PSH-SUPPORTED-CLASS', 'evidence_class').of<unknown>(kind).isOneOf(CLASSES)
    check('PSH-SUPPORTED-TYPE', 'evidence_type').of<unknown>(type).isOneOf(TYPES)
    check('PSH-SUPPORTED-CAPABILITIES', 'capabilities').of(isObject(offered)).is(true)
    check('PSH-SUPPORTED-PAIRS', `the class of ${String(type)}`)
      .of<unknown>(kind)
      .meets({
        'in pairs': (one) => one === PAIRS[String(type)],
        freely: (one) => CLASSES.some((each) => each === one),
      })
    if (type === 'tpm_quote') {
      holding(QUOTE_RULES, offered)
      const keys = listIn(member(offered, 'certification_keys'))
      for (const key of keys) holding(KEY_RULES, key)
      observe('PUBENC', 'the beginning of public', String(member(keys[0], 'public')).slice(0, 12))
    }
    if (type === 'ima_log') holding(LIST_RULES, offered)
  }
  for (const wanted of ['tpm_quote', 'ima_log'])
    check('PSH-NEGOTIATES-SUPPORTED', `${wanted} is offered`)
      .of(items.some((item) => member(item, 'evidence_type') === wanted))
      .is(true)
}
