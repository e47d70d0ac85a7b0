import { expect, test } from 'vitest'
import { toHex } from '../../simulator/tpm/write.ts'
import { changesOf } from './changes.ts'
import { vectorGroups } from './corpus.ts'
import { vectorsById } from './present-vectors.ts'

const vectors = vectorsById(vectorGroups())

/** The changes of a vector, with bytes in hexadecimal. */
function changesIn(id: string) {
  const vector = vectors.get(id)
  const baseline = vectors.get(vector?.baseline ?? '')
  if (vector === undefined || baseline === undefined) throw new TypeError(`no vector ${id}`)
  return changesOf(baseline.body, vector.body).map(({ before, after, ...rest }) => ({
    ...rest,
    before: toHex(before),
    after: toHex(after),
  }))
}

test('a change of a signed structure is found with its field, and the new signature too', () => {
  expect(changesIn('e2-9-magic-zero')).toEqual([
    expect.objectContaining({
      ...{ part: 'quote, message', offset: 0, field: 'magic' },
      ...{ before: 'ff544347', after: '00000000' },
    }),
    expect.objectContaining({ part: 'quote, signature', field: 'signatureR' }),
  ])
})

test('a change of a list is found by its line', () => {
  expect(changesIn('e6-60-another')).toEqual([
    expect.objectContaining({
      part: 'ima_measurement_list',
      field: expect.stringMatching(/^line \d+$/),
    }),
  ])
})

test('a change of a log is found by its event', () => {
  const [log] = changesIn('e8-95-separator-twice').filter(({ part }) => part === 'mb_list')
  expect(log?.field).toMatch(/^event \d+, EV_\w+ of PCR \d+$/)
})

test('base64 in another spelling is compared as text', () => {
  expect(changesIn('e1-3-unpadded-2').map(({ part }) => part)).toEqual(['quote'])
})

test('a member that is missing is empty', () => {
  const changes = changesOf({ nonce: 'a', tpm_policy: '{}' }, { nonce: 'a' })
  expect(changes).toEqual(
    [
      {
        part: 'tpm_policy',
        offset: 0,
        length: 0,
        before: Buffer.from('{}'),
        after: Buffer.from(''),
      },
    ].map((change) => expect.objectContaining({ part: change.part, offset: 0, length: 0 })),
  )
})

test('equal bodies have no change', () => {
  expect(changesOf({ nonce: 'a' }, { nonce: 'a' })).toEqual([])
})
