import { PUSH_MOVES, type PushMove } from '../../agent/push/moves.ts'
import {
  PUSH_EFFECTS,
  PUSH_EVENTS,
  PUSH_FAILURES,
  PUSH_STATES,
  type PushEventKind,
} from '../../agent/push/states.ts'
import { code, table } from './markdown.ts'

const INTRODUCTION = `# The push agent

A push agent is a client alone: it registers with its registrar, opens a session with its verifier, and then attests in
cycles of two requests, capabilities and evidence. This page is printed from
[the table that the agent runs by](../reference/agent/push/moves.ts) with \`npm run docs\`; other transitions cannot happen.

The states \`Unregistered\`, \`RegistrationFailed\`, \`Registered\`, \`Negotiating\`, \`Attesting\` and \`AttestationFailed\` are those of the
interface document. It has no name for the session, which is \`Authenticating\` here, and none for the wait after accepted
evidence, which is \`Attested\`.`

const WAITS = `## How long it waits

* After a failure: \`exponential_backoff_initial_delay\` milliseconds, doubled with each further failure up to
  \`exponential_backoff_max_delay\`, less up to \`exponential_backoff_jitter_percent\` of it by chance. Accepted evidence, and an
  accepted registration, end the row of failures.
* For the time of \`Retry-After\`, in seconds or as a date, if the response has it: up to \`exponential_backoff_max_delay\`. One that
  says 0, or that cannot be read, counts as none.
* After accepted evidence: \`seconds_to_next_attestation\`, between \`attestation_interval_min_seconds\` and
  \`attestation_interval_max_seconds\`; \`attestation_interval_seconds\` where the verifier suggests nothing that is a number of seconds.

## What it keeps

The token is in memory alone, and goes into the \`Authorization\` header of requests to the verifier, whose certificate was
checked. It is renewed by a new session when the last fifth of its life begins, 30 seconds before its end at the earliest. Lives
are differences of the verifier's own timestamps, so that neither clock has to be right.

Below \`state_dir\` are the attestation key, wrapped by the TPM, the id where it was generated, and the boot time by the TPM's
count of resets: after a restart of the agent the machine is the same and its list goes on where it was; after a reboot the
verifier asks for the whole list. One agent at a time has the directory: a second one is refused at its start.

## The logs

\`ima_ml_path\` may name the list in ASCII or the binary one; the agent tells them by their first bytes, and offers the media type of what
is there. Of both logs it sends the part that is asked for. Entries of the firmware's log are events, and its header is sent with the first; a
firmware log that cannot be read is sent whole, for the verifier to reject. Of a binary list the agent sends the entries up to the first one that it cannot read.`

/** The page, in Markdown. */
export function pushAgentPage(): string {
  return `${[
    INTRODUCTION,
    diagram(),
    table(['state', 'the agent'], named(PUSH_STATES)),
    '## Moves',
    `\`stopped\` leads from every state to \`Stopped\`.`,
    table(['from', 'event', 'to', 'effects'], rows()),
    '## What happens',
    table(['event', 'is when'], named(PUSH_EVENTS)),
    '## Effects',
    table(['effect', 'means'], named(PUSH_EFFECTS)),
    WAITS,
  ].join('\n\n')}\n`
}

function named(all: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(all).map(([name, meaning]) => [code(name), meaning])
}

const SHOWN = PUSH_MOVES.filter(({ on }) => on !== 'stopped')

/** Moves that differ in nothing but what happened share a line. */
function rows(): readonly (readonly string[])[] {
  return [...groupsOf(({ from, to, does }) => [from, to, ...does].join()).values()].map((moves) => [
    code(moves[0]?.from ?? ''),
    moves.map(({ on }) => code(on)).join(', '),
    code(moves[0]?.to ?? ''),
    (moves[0]?.does ?? []).map(code).join(', '),
  ])
}

function groupsOf(keyOf: (move: PushMove) => string): ReadonlyMap<string, readonly PushMove[]> {
  const groups = new Map<string, PushMove[]>()
  for (const move of SHOWN) groups.set(keyOf(move), [...(groups.get(keyOf(move)) ?? []), move])
  return groups
}

function diagram(): string {
  const arrows = [...groupsOf(({ from, to }) => `  ${from} --> ${to}`)].map(
    ([arrow, moves]) => `${arrow}: ${labelOf(moves.map(({ on }) => on))}`,
  )
  const lines = ['stateDiagram-v2', '  [*] --> Unregistered', ...arrows]
  return `\`\`\`mermaid\n${lines.join('\n')}\n\`\`\``
}

/** Failures are one word where all of them lead the same way. */
function labelOf(events: readonly PushEventKind[]): string {
  const failures = Object.keys(PUSH_FAILURES) as readonly PushEventKind[]
  const isAny = failures.every((failure) => events.includes(failure))
  if (!isAny) return events.join(', ')
  return [...events.filter((event) => !failures.includes(event)), 'any failure'].join(', ')
}
