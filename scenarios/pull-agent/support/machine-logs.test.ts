import { expect, test } from 'vitest'
import { isImaListOf } from './machine-logs.ts'

const LINE = '10 00 ima-ng sha256:00 /tmp/'
const ima = { ascii: () => new Uint8Array([...Buffer.from(`${LINE}é`), 0xff]) }
const machine = { ima } as unknown as Parameters<typeof isImaListOf>[0]

test.each([
  ['a character for each byte', 'Ã©ÿ', true],
  ['a surrogate for a byte that is not UTF-8', 'é\udcff', true],
  ['a replacement character', 'é\ufffd', false],
  ['no last byte', 'é', false],
])('a list with %s is compared with that of its machine', (_, name, isSame) => {
  expect(isImaListOf(machine, `${LINE}${name}`)).toBe(isSame)
})
