import type { Broken, Fact, Inspection, PolicyFacts, Source } from '../inspection.ts'
import { looksLikeJson } from '../quote/quote-source.ts'
import type { Given } from '../read-given.ts'
import { bytes as inBytes, safe } from '../show.ts'
import { readBase64 } from '../text-forms.ts'
import { collectWarnings, type Warnings } from '../warnings.ts'
import { at, type JsonNode, readJson, textOf } from './json-source.ts'
import { isRuntimePolicy, POLICY_PART, warnOfPolicy } from './policy-warnings.ts'
import { isReferenceState, STATE_ABOUT, stateFacts, warnOfState } from './reference-state.ts'

const ABOUT =
  'A runtime policy: the accepted digests of each file, and the paths that are not checked. A verifier evaluates an IMA list with it.'

const NO_POLICY = { about: 'This is no policy.', facts: [] }

const PAYLOAD_TYPE = 'application/vnd.keylime+json'

/** The text of the policy, after decoding. */
interface PolicyText {
  readonly bytes: Uint8Array
  readonly form: string
  readonly envelope: PolicyFacts['envelope']
  readonly broken: readonly Broken[]
}

function breaksOf(part: string, broken: ReturnType<typeof readJson>['broken']): readonly Broken[] {
  return broken === undefined ? [] : [{ part, offset: broken.offset, path: '', why: broken.why }]
}

function decoded(text: string): { readonly bytes: Uint8Array; readonly broken: readonly Broken[] } {
  const blob = readBase64(text)
  return { bytes: blob.bytes, broken: blob.broken.map((each) => ({ part: POLICY_PART, ...each })) }
}

/** Reads a DSSE envelope: the policy in base64, with signatures over payload and type. */
function readEnvelope(root: JsonNode, form: string, warnings: Warnings): PolicyText | undefined {
  const payload = textOf(at(root, 'payload'))
  if (payload === undefined) return undefined
  const list = at(root, 'signatures')
  const signatures = (list?.items ?? []).map((item) => ({
    keyid: safe(textOf(at(item, 'keyid')) ?? ''),
    length: readBase64(textOf(at(item, 'sig')) ?? '').bytes.length,
  }))
  const type = textOf(at(root, 'payloadType')) ?? ''
  const place = { part: 'envelope', offset: (list ?? root).start, path: 'signatures' }
  if (signatures.every(({ length }) => length === 0)) {
    warnings.add('unsigned-envelope', { ...place, says: `${signatures.length} signatures` })
  }
  if (type !== PAYLOAD_TYPE) {
    const offset = at(root, 'payloadType')?.start ?? root.start
    warnings.add('odd-payload-type', {
      part: 'envelope',
      offset,
      path: 'payloadType',
      says: safe(type) || 'none',
    })
  }
  const { bytes, broken } = decoded(payload)
  return {
    bytes,
    broken,
    form: `${form}, in a signed envelope (DSSE)`,
    envelope: { payload_type: safe(type), signatures },
  }
}

/** Maximum depth of encodings around a policy: request, base64, envelope. */
const MOST_WRAPPED = 3

function readText(given: Uint8Array, form: string, warnings: Warnings, depth = 0): PolicyText {
  const plain = { bytes: given, form, envelope: null, broken: [] }
  if (depth > MOST_WRAPPED) return plain
  if (!looksLikeJson(given)) return readWrapped(given, form, warnings, depth) ?? plain
  const { root, broken } = readJson(given)
  const envelope = root && readEnvelope(root, form, warnings)
  if (envelope !== undefined) {
    return { ...envelope, broken: [...breaksOf('envelope', broken), ...envelope.broken] }
  }
  const member = ['runtime_policy', 'mb_policy'].find((name) => at(root, name) !== undefined)
  const inner = member === undefined ? undefined : textOf(at(root, member))
  if (inner === undefined) return plain
  const innerForm = `${form}, member ${member}`
  return readText(new TextEncoder().encode(inner), innerForm, warnings, depth + 1)
}

/** Reads JSON in base64; undefined if there is none. */
function readWrapped(
  given: Uint8Array,
  form: string,
  warnings: Warnings,
  depth: number,
): PolicyText | undefined {
  const { bytes, broken } = decoded(new TextDecoder().decode(given).trim())
  if (!looksLikeJson(bytes)) return undefined
  const read = readText(bytes, `${form} in base64`, warnings, depth + 1)
  return { ...read, broken: [...broken, ...read.broken] }
}

function numberAt(root: JsonNode | undefined, ...path: readonly string[]): number | null {
  const value = at(root, ...path)?.value
  return typeof value === 'number' ? value : null
}

function tallyDigests(root: JsonNode | undefined): PolicyFacts['digests'] {
  const counts = new Map<number, number>()
  for (const { node } of at(root, 'digests')?.members ?? []) {
    for (const { value } of node.items ?? []) {
      const length = typeof value === 'string' ? value.length : 0
      counts.set(length, (counts.get(length) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([length, count]) => ({ length, count }))
    .toSorted((one, other) => one.length - other.length)
}

/** Number of keys in `verification-keys`, a JSON text inside the JSON. */
function countKeys(root: JsonNode | undefined): number {
  const text = textOf(at(root, 'verification-keys')) ?? ''
  const inner = text === '' ? undefined : readJson(new TextEncoder().encode(text)).root
  return at(inner, 'pubkeys')?.items?.length ?? 0
}

function factsOf(root: JsonNode | undefined, envelope: PolicyFacts['envelope']): PolicyFacts {
  const alg = textOf(at(root, 'ima', 'log_hash_alg'))
  return {
    envelope,
    version: numberAt(root, 'meta', 'version'),
    generator: numberAt(root, 'meta', 'generator'),
    release: numberAt(root, 'release'),
    log_hash_alg: alg === undefined ? null : safe(alg),
    paths: at(root, 'digests')?.members?.length ?? 0,
    digests: tallyDigests(root),
    excludes: at(root, 'excludes')?.items?.length ?? 0,
    keyrings: at(root, 'keyrings')?.members?.length ?? 0,
    ima_buf: at(root, 'ima-buf')?.members?.length ?? 0,
    verification_keys: countKeys(root),
  }
}

const GENERATORS: readonly string[] = [
  'unknown',
  'empty, a placeholder',
  'made for several tools',
  'converted from an older allowlist',
]
const LENGTHS: Readonly<Record<number, string>> = {
  40: 'SHA-1',
  64: 'SHA-256',
  96: 'SHA-384',
  128: 'SHA-512',
}

function present(facts: PolicyFacts): readonly Fact[] {
  const { version, generator, release, envelope } = facts
  const digests = facts.digests.map(
    ({ length, count }) => `${count} ${LENGTHS[length] ?? `of ${length} digits`}`,
  )
  return [
    ...(envelope === null
      ? []
      : [
          {
            name: 'envelope',
            value: `${envelope.payload_type || 'no type'}; signatures: ${envelope.signatures.map(({ keyid, length }) => `${inBytes(length)} by ${keyid.slice(0, 40) || 'a key without id'}`).join(', ') || 'none'} (not verified here)`,
          },
        ]),
    {
      name: 'version',
      value: `${version ?? 'none'} of the format; release ${release ?? 'none'} of this policy`,
    },
    {
      name: 'generator',
      value: generator === null ? 'none' : `${generator}: ${GENERATORS[generator] ?? 'unknown'}`,
    },
    { name: 'paths', value: `${facts.paths} with ${digests.join(', ') || 'no digests'}` },
    { name: 'excludes', value: `${facts.excludes} expressions for paths that are not checked` },
    {
      name: 'keyrings',
      value: `${facts.keyrings}, ${facts.ima_buf} kinds of measured buffers, ${facts.verification_keys} keys for file signatures`,
    },
    { name: 'template hash', value: facts.log_hash_alg ?? 'none' },
  ]
}

/** Why a JSON text is no policy; undefined for one that has members of a policy. */
function whyNot(root: JsonNode | undefined): string | undefined {
  if (root === undefined) return undefined
  if (root.members === undefined) return 'a policy must be a JSON object'
  if (isReferenceState(root) || isRuntimePolicy(root)) return undefined
  return 'it has the members neither of a runtime policy (digests, excludes, meta) nor of a measured boot reference state (scrtm_and_bios, kernels)'
}

/** Explains a runtime policy or a measured boot reference state, and collects warnings. */
export function inspectPolicy({ file, bytes }: Given): Inspection {
  const warnings = collectWarnings()
  const { envelope, form, ...text } = readText(bytes, 'JSON', warnings)
  const { root, broken } = readJson(text.bytes)
  const why = broken === undefined ? whyNot(root) : undefined
  const sources: readonly Source[] = [{ file, form, length: bytes.length }]
  const all = {
    ...{ kind: 'policy' as const, sources, parts: [], comparisons: [], ima: null, eventlog: null },
    broken: [
      ...text.broken,
      ...breaksOf(POLICY_PART, broken),
      ...breaksOf(POLICY_PART, why === undefined ? undefined : { offset: root?.start ?? 0, why }),
    ],
  }
  if (root !== undefined && isReferenceState(root)) {
    warnOfState(root, POLICY_PART, warnings)
    return {
      ...all,
      about: STATE_ABOUT,
      facts: stateFacts(root),
      warnings: warnings.list(),
      policy: null,
    }
  }
  const facts = factsOf(root, envelope)
  if (root?.members !== undefined && why === undefined) warnOfPolicy(root, facts, warnings)
  const said = why === undefined ? { about: ABOUT, facts: present(facts) } : NO_POLICY
  return { ...all, ...said, warnings: warnings.list(), policy: facts }
}
