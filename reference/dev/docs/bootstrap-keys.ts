import { KEY_MOVES, type KeyEffect, type KeyEvent } from '../../agent/keys/key-moves.ts'
import { code, table } from './markdown.ts'

const INTRODUCTION = `# Bootstrap keys of a pull agent

The tenant draws K and V, and makes U of them, so that K is U exclusive-or V. The verifier sends V to \`keys/vkey\` once it
trusts the agent, the tenant sends U to \`keys/ukey\`; they come in either order, and may come again. This page is printed
from [the table that the agent runs by](../reference/agent/keys/key-moves.ts) with \`npm run docs\`.

K, U and V are in memory alone: after a restart both halves are sent again. \`keys/verify\` answers in every state that
begins with \`keyed\`.`

const EVENTS: Readonly<Record<KeyEvent, string>> = {
  v: 'V came, and no U waits for it',
  'v-fits': 'V came, and makes the key that the U that waits was sent for',
  'v-misfits': 'V came, and does not',
  'v-again': 'V came that the key is of',
  u: 'U came, and no V waits for it',
  'u-fits':
    'U came; its `auth_tag` is of the key that it makes with V, and its payload opens with that',
  'u-misfits': 'U came; its `auth_tag` is of another key',
  'u-unopened': 'U came; its `auth_tag` is of the key that it makes with V, and its payload is not',
  'u-again': 'U came that the key is of',
  'u-used': 'U belongs to a key that was replaced',
}

const EFFECTS: Readonly<Record<KeyEffect, string>> = {
  'keep-v': 'V waits for U; one that waited is forgotten',
  'keep-u': 'U waits for V with its payload; one that waited is forgotten',
  'take-key': 'K is there, and the payload is delivered once the answer is sent',
  'refuse-u': 'the answer is 400, and U is not kept',
}

/** The page, in Markdown. */
export function bootstrapKeysPage(): string {
  const moves = KEY_MOVES.map(({ from, on, to, does }) => [
    ...[code(from), code(on), code(to), does.map(code).join(', ')],
  ])
  return `${[
    INTRODUCTION,
    table(['from', 'event', 'to', 'effects'], moves),
    '## Events',
    table(['event', 'is when'], named(EVENTS)),
    '## Effects',
    table(['effect', 'means'], named(EFFECTS)),
  ].join('\n\n')}\n`
}

function named(rows: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(rows).map(([name, meaning]) => [code(name), meaning])
}
