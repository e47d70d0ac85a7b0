import { expect, test } from 'vitest'
import { DIALECTS } from '../../dialects/dialect.ts'
import { whyUnread } from './evidence-forms.ts'

const { document } = DIALECTS

test('the document supports every form', () => {
  expect(whyUnread(['rsapss', 'several-banks', 'ima-pcr-alone'], document)).toBeUndefined()
})

test('an unsupported form is reported with the dialect key that excludes it', () => {
  const dialect = { ...document, 'quoted-banks': 'one' } as const
  expect(whyUnread(['rsapss', 'several-banks'], dialect)).toBe('quoted-banks of the dialect is one')
  expect(whyUnread(['rsapss'], dialect)).toBeUndefined()
})
