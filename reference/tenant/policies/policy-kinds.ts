import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { type Members, textIn } from '../read-members.ts'

/** A kind of named policies at the verifier: its routes, options and texts. */
export interface PolicyKind {
  readonly noun: string
  readonly plural: string
  /** Below the version prefix. */
  readonly path: string
  /** The member that holds the list of names. */
  readonly names: string
  readonly options: {
    readonly file: 'runtimePolicy' | 'mbPolicy'
    readonly name: 'runtimePolicyName' | 'mbPolicyName'
  }
  readonly words: {
    readonly file: string
    readonly name: string
    readonly list: string
    readonly update: string
  }
  /** The member that names it in an add-agent request. */
  readonly nameMember: string
  /** The body that carries a policy's text, and the key of its signature where there is one. */
  bodyOf(text: string, key: string | undefined): Members
  /** The text in a record; undefined when it has none. */
  textOf(record: Members): string | undefined
}

const encode = (text: string) => toBase64(new TextEncoder().encode(text))

export const RUNTIME_POLICY: PolicyKind = {
  noun: 'runtime policy',
  plural: 'runtime policies',
  path: '/allowlists',
  names: 'runtimepolicy names',
  options: { file: 'runtimePolicy', name: 'runtimePolicyName' },
  words: {
    ...{ file: '--runtime-policy FILE', name: '--runtime-policy-name NAME' },
    ...{ list: 'listruntimepolicies', update: 'updateruntimepolicy' },
  },
  nameMember: 'runtime_policy_name',
  bodyOf: (text, key) => ({
    runtime_policy: encode(text),
    ...(key !== undefined && { runtime_policy_key: encode(key) }),
  }),
  textOf: (record) => {
    const text = textIn(record, 'runtime_policy')
    return text === undefined ? undefined : plainText(text)
  },
}

export const BOOT_POLICY: PolicyKind = {
  noun: 'measured boot policy',
  plural: 'measured boot policies',
  path: '/mbpolicies',
  names: 'mbpolicy names',
  options: { file: 'mbPolicy', name: 'mbPolicyName' },
  words: {
    ...{ file: '--mb-policy FILE', name: '--mb-policy-name NAME' },
    ...{ list: 'listmbpolicies', update: 'updatembpolicy' },
  },
  nameMember: 'mb_policy_name',
  bodyOf: (text) => ({ mb_policy: text }),
  textOf: (record) => textIn(record, 'mb_policy'),
}

/** The document has base64, upstream's verifier answers with the JSON itself (ambiguity RPENC). */
function plainText(text: string): string {
  if (text.trimStart().startsWith('{')) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(text))
  } catch {
    return text
  }
}
