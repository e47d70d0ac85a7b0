import {
  AGENT_MODES,
  type AgentMode,
  OPERATIONAL_EFFECTS,
  OPERATIONAL_EVENTS,
  OPERATIONAL_MOVES,
  OPERATIONAL_STATES,
  type OperationalMove,
} from '../../verifier/operational-state.ts'
import { code, table } from './markdown.ts'

const INTRODUCTION = `# Operational states of an agent

The verifier keeps an \`operational_state\` of every agent. The interface document says that there is one, and neither its
values nor its transitions: the numbers and names are those in use. This page is printed from
[the table that the verifier runs by](../reference/verifier/operational-state.ts) with \`npm run docs\`.

An agent is of the **pull** model, and asked for quotes, when it is added with an address (\`cloudagent_ip\`,
\`cloudagent_port\`) and the certificate of its HTTPS server (\`mtls_cert\`). Without them it is of the **push** model, and
attests by itself. An agent of either kind that sends evidence is of the push model from then on. The setting \`mode\` of
the verifier changes that: \`pull\` refuses an agent that cannot be asked, \`push\` asks none.`

const MODE_TITLES: Readonly<Record<AgentMode, string>> = {
  push: 'A push agent',
  pull: 'An agent that is asked for quotes',
}

const OUTLOOK = `Transitions that are not in a table do not happen: an answer that comes when its agent was stopped, deleted or added anew changes
nothing. An agent in \`invalid_quote\` is asked on while its \`severity_level\` is below the highest label.`

/** The page, in Markdown. */
export function operationalStatesPage(): string {
  const states = Object.entries(OPERATIONAL_STATES).map(([name, number]) => [
    ...[String(number), code(name)],
  ])
  return `${[
    INTRODUCTION,
    table(['operational_state', 'name'], states),
    ...AGENT_MODES.flatMap((mode) => [`## ${MODE_TITLES[mode]}`, movesOf(mode)]),
    OUTLOOK,
    '## What happens to an agent',
    table(['event', 'is when'], named(OPERATIONAL_EVENTS)),
    '## Effects',
    table(['effect', 'means'], named(OPERATIONAL_EFFECTS)),
  ].join('\n\n')}\n`
}

function named(rows: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(rows).map(([name, meaning]) => [code(name), meaning])
}

/** Moves that differ only in where they begin share a line. */
function movesOf(mode: AgentMode): string {
  const groups = new Map<string, OperationalMove[]>()
  for (const move of OPERATIONAL_MOVES.filter((each) => each.mode === mode)) {
    const key = [move.event, move.to, ...move.effects].join()
    groups.set(key, [...(groups.get(key) ?? []), move])
  }
  const rows = [...groups.values()].map((moves) => [
    moves.map(({ from }) => code(from ?? '(none)')).join(', '),
    code(moves[0]?.event ?? ''),
    code(moves[0]?.to ?? '(none)'),
    (moves[0]?.effects ?? []).map(code).join(', '),
  ])
  return table(['from', 'event', 'to', 'effects'], rows)
}
