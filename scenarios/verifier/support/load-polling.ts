import { join } from 'node:path'
import type { PullAgentOptions } from '../../../conformance/client/agents/pull-agent.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import { readYaml } from '../../../conformance/input/read-yaml.ts'
import { MISBEHAVIOURS, type MisbehaviourName } from '../../../simulator/agents/pull-script.ts'

/** Possible outcomes of a misbehaviour; `polling.yaml` defines the words. */
const ENDS = ['fails', 'open', 'waits', 'passes', 'unsaid'] as const
export type PollingEnd = (typeof ENDS)[number]

export const GROUPS = ['connection', 'answer', 'quote', 'logs', 'version'] as const
export type PollingGroup = (typeof GROUPS)[number]

/** An agent that misbehaves, and the requirement against it. */
export interface PollingRow {
  readonly does: MisbehaviourName
  readonly for: string
  readonly ends: PollingEnd
  /** The poll from which it misbehaves. */
  readonly at?: number
  readonly with?: keyof typeof ADDED_WITH
  readonly versions?: readonly string[]
}

const NOTHING_EXTENDED = '0'.repeat(64)

const LONG = Array.from({ length: 256 }, (_, at) => `measure /usr/bin/${at}`).join('\n')

/** Members with which an agent is added, in addition to the usual ones. */
export const ADDED_WITH = {
  'static-pcr': { staticPcrs: { 23: [NOTHING_EXTENDED] } },
  'boot-policy': { measuredBoot: true },
  'another-pcr': { alsoQuoted: [4] },
  'long-list': { boots: LONG },
  'ran-once': { boots: 'measure /usr/bin/ran-once' },
  'other-scheme': { members: { accept_tpm_signing_algs: ['ecdaa'] } },
} as const satisfies Readonly<Record<string, PullAgentOptions & { readonly boots?: string }>>

/** The same in words. */
const ADDED_WITH_WORDS: Readonly<Record<keyof typeof ADDED_WITH, string>> = {
  'static-pcr': 'a static policy of PCR 23',
  'boot-policy': 'a boot policy',
  'another-pcr': 'a mask with PCR 4',
  'long-list': 'a list of more than 256 lines',
  'ran-once': 'a list whose last file only the first boot ran',
  'other-scheme': 'ecdaa as the only accepted signature scheme',
}

/** What the agent of a row does, in words; completes "of an agent: …". */
export function agentOf({ does, with: addition }: PollingRow): string {
  const added = addition === undefined ? '' : `, added with ${ADDED_WITH_WORDS[addition]}`
  return `${MISBEHAVIOURS[does].what}${added}`
}

const FILE = join(packageRoot(), 'conformance', 'catalogue', 'matrices', 'polling.yaml')

/** Loads every row of the table, by group. */
export function loadPolling(): Readonly<Record<PollingGroup, readonly PollingRow[]>> {
  const { groups } = readYaml(FILE) as {
    readonly groups: Readonly<Record<PollingGroup, readonly PollingRow[]>>
  }
  return groups
}
