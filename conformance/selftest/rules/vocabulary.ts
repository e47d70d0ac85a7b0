/** A word that the project gave up, and the plain word for it. */
interface GivenUpWord {
  /** Matches the word in prose. */
  readonly word: string
  readonly instead: string
}

/** Words that need a glossary, or that hide the subject of a sentence. */
const GIVEN_UP: readonly GivenUpWord[] = [
  { word: 'whoever|whomever|whom', instead: 'the client, the caller, the agent that' },
  { word: 'nobody|somebody', instead: 'no client, a client, another user' },
  { word: 'is told|are told|was told|been told', instead: 'receives, is passed, is reported' },
  { word: 'telling|tellings|retell', instead: 'model, sequence' },
  { word: 'deeds?', instead: 'operation, action' },
  { word: 'desks?', instead: 'pool' },
  { word: 'workshops?', instead: 'machine factory' },
  { word: 'furniture', instead: 'parts' },
  { word: 'knobs?', instead: 'override, option' },
  { word: 'bent|bends?|bending', instead: 'mutated, mutate' },
  { word: 'paper machine|tpmless', instead: 'stub machine' },
]

/** Parts of identifiers that the project gave up. */
const GIVEN_UP_IN_NAMES: readonly GivenUpWord[] = [
  { word: 'bend', instead: 'mutate' },
  { word: 'knobs', instead: 'overrides' },
  { word: 'deed', instead: 'operation' },
  { word: 'desk', instead: 'pool' },
  { word: 'workshop', instead: 'factory' },
  { word: 'furniture', instead: 'parts' },
  { word: 'telling', instead: 'model' },
  { word: 'nobody', instead: 'anonymous' },
  { word: 'speaker', instead: 'credentials' },
]

interface Finding {
  readonly line: number
  readonly found: string
  readonly instead: string
}

/** A word next to one of these belongs to an id or a path: `session.proof-of-nobody`, `data/desk`. */
const BEFORE = '(?<![\\w./-])'
const AFTER = '(?![\\w/-]|\\.\\w)'
/** A word that is all of a quotation is data. */
const QUOTE = "['`]"

function proseRule({ word, instead }: GivenUpWord) {
  const data = `(?!(?<=${QUOTE})(?:${word})${QUOTE})`
  return { pattern: new RegExp(`${BEFORE}${data}(?:${word})${AFTER}`, 'gi'), instead }
}

/** In camel case, at the beginning, in the middle or at the end, and in capitals. */
function nameRule({ word, instead }: GivenUpWord) {
  const title = `${word[0]?.toUpperCase()}${word.slice(1)}`
  const forms = [`\\b${word}(?=[A-Z])`, `(?<=[a-z])${title}(?![a-z])`, `\\b${title}(?=[A-Z])`]
  return { pattern: new RegExp(forms.join('|'), 'g'), instead }
}

const RULES = [...GIVEN_UP.map(proseRule), ...GIVEN_UP_IN_NAMES.map(nameRule)]

/** The words of a text that the project gave up, with their lines. */
export function givenUpIn(text: string): readonly Finding[] {
  return text
    .split('\n')
    .flatMap((content, at) =>
      RULES.flatMap(({ pattern, instead }) =>
        [...content.matchAll(pattern)].map(([found]) => ({ line: at + 1, found, instead })),
      ),
    )
}
