/** A malformed capabilities document. */
export interface DocumentRow {
  readonly id: string
  readonly says: string
  /** Turns the valid document into the malformed one: an object, or a string that is sent unchanged. */
  readonly edit: (document: Document) => unknown
  readonly ends: 'refused' | 'either'
}

interface Item {
  readonly evidence_type: string
  readonly [member: string]: unknown
}

/** Members of a capabilities document that the rows change. */
export interface Document {
  readonly data: {
    readonly type: string
    readonly attributes: { readonly evidence_supported: readonly Item[] }
  }
}

const ofData =
  (change: object) =>
  ({ data }: Document) => ({ data: { ...data, ...change } })

const ofAttributes =
  (change: object) =>
  ({ data }: Document) => ({
    data: { ...data, attributes: { ...data.attributes, ...change } },
  })

const ofOffers = (change: (items: readonly Item[]) => unknown) => (document: Document) =>
  ofAttributes({ evidence_supported: change(document.data.attributes.evidence_supported) })(
    document,
  )

/** Adds a member to the attributes in bytes that no serializer would write. */
const withText = (member: string) => (document: Document) =>
  JSON.stringify(document).replace('"attributes":{', `"attributes":{${member},`)

const isQuote = ({ evidence_type: type }: Item): boolean => type === 'tpm_quote'

const manyKeys = () => Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":0`).join()
const DEEP = '['.repeat(10_000) + ']'.repeat(10_000)

/** Case 108: the document around the offer. */
const SHAPES: readonly DocumentRow[] = [
  {
    id: 'list-of-data',
    says: 'data in a list',
    edit: ({ data }) => ({ data: [data] }),
    ends: 'refused',
  },
  { id: 'no-data', says: 'no data', edit: () => ({}), ends: 'refused' },
  { id: 'null-data', says: 'data that is null', edit: () => ({ data: null }), ends: 'refused' },
  { id: 'list', says: 'the document in a list', edit: (document) => [document], ends: 'refused' },
  {
    id: 'text',
    says: 'the document in a string',
    edit: (document) => JSON.stringify(JSON.stringify(document)),
    ends: 'refused',
  },
  {
    id: 'session-type',
    says: 'the type of a session',
    edit: ofData({ type: 'session' }),
    ends: 'refused',
  },
  {
    id: 'number-type',
    says: 'a type that is a number',
    edit: ofData({ type: 1 }),
    ends: 'refused',
  },
  {
    id: 'null-attributes',
    says: 'attributes that are null',
    edit: ofData({ attributes: null }),
    ends: 'refused',
  },
  {
    id: 'list-attributes',
    says: 'attributes in a list',
    edit: ofData({ attributes: [] }),
    ends: 'refused',
  },
  { id: 'nan', says: 'an attribute that is NaN', edit: withText('"x":NaN'), ends: 'refused' },
  {
    id: 'infinity',
    says: 'a number out of range',
    edit: withText('"x":1e400'),
    ends: 'either',
  },
  {
    id: 'surrogate',
    says: 'an unpaired surrogate in a string',
    edit: withText('"x":"\\ud800"'),
    ends: 'either',
  },
  {
    id: 'twice',
    says: 'an attribute twice',
    edit: withText('"evidence_supported":[]'),
    ends: 'either',
  },
  {
    id: 'deep',
    says: 'an attribute of 10 000 levels',
    edit: withText(`"x":${DEEP}`),
    ends: 'either',
  },
  {
    id: 'wide',
    says: 'an attribute of a million members',
    edit: (document) => withText(`"x":{${manyKeys()}}`)(document),
    ends: 'either',
  },
  {
    id: 'unknown-attribute',
    says: 'an unknown attribute',
    edit: ofAttributes({ x: 1 }),
    ends: 'either',
  },
  { id: 'own-id', says: 'an index chosen by the agent', edit: ofData({ id: '7' }), ends: 'either' },
]

/** Case 109: the offer. */
const OFFERS: readonly DocumentRow[] = [
  {
    id: 'none',
    says: 'no list of offers',
    edit: ofAttributes({ evidence_supported: undefined }),
    ends: 'refused',
  },
  {
    id: 'object',
    says: 'an offer outside of a list',
    edit: ofOffers(([first]) => first),
    ends: 'refused',
  },
  {
    id: 'texts',
    says: 'offers that are strings',
    edit: ofOffers((items) => items.map((item) => JSON.stringify(item))),
    ends: 'refused',
  },
  { id: 'empty', says: 'an empty list of offers', edit: ofOffers(() => []), ends: 'either' },
  {
    id: 'log-alone',
    says: 'a log and no quote',
    edit: ofOffers((items) => items.filter((item) => !isQuote(item))),
    ends: 'either',
  },
  {
    id: 'two-quotes',
    says: 'two quotes',
    edit: ofOffers((items) => [...items.filter(isQuote), ...items]),
    ends: 'either',
  },
  {
    id: 'other-class',
    says: 'a quote labelled as a log',
    edit: ofOffers((items) =>
      items.map((item) => (isQuote(item) ? { ...item, evidence_class: 'log' } : item)),
    ),
    ends: 'either',
  },
  {
    id: 'unknown-type',
    says: 'an unknown evidence type',
    edit: ofOffers((items) => [
      ...items,
      { evidence_class: 'log', evidence_type: 'diary', capabilities: {} },
    ]),
    ends: 'either',
  },
  {
    id: 'many',
    says: '10 000 offers',
    edit: ofOffers(([first]) => Array(10_000).fill(first)),
    ends: 'either',
  },
]

export const PUSH_DOCUMENTS = { shapes: SHAPES, offers: OFFERS } as const
