import { expect, test } from 'vitest'
import { counted, cutAt, duration, seenPieces, shortLine, visible, visibleLine } from './visible.ts'

test('controls, bidirectional marks and unpaired surrogates are spelled out', () => {
  expect(visible('\u001b[31m \u0000 \u202e \ufeff \ud800 \u{e0041} \u0085 \r')).toBe(
    '\\x1b[31m \\x00 \\u202e \\ufeff \\ud800 \\u{e0041} \\x85 \\r',
  )
})

test('newline, tab and letters of any script are unchanged', () => {
  expect(visible('a\n\tż 日本 é 🔑')).toBe('a\n\tż 日本 é 🔑')
})

test('visibleLine spells out newline and tab too', () => {
  expect(visibleLine('a\n\tb')).toBe('a\\n\\tb')
})

test('a shortened line shows the original length', () => {
  expect(shortLine('x'.repeat(1500), 3)).toBe('xxx… [1,500 characters]')
  expect(shortLine('xxx', 3)).toBe('xxx')
})

test('a cut does not split a surrogate pair', () => {
  expect(cutAt('a🔑b', 2)).toBe('a')
  expect(cutAt('a🔑b', 3)).toBe('a🔑')
})

test('a spelled-out character differs from a backslash that was sent', () => {
  expect(seenPieces('\\x00\u0000')).toEqual([
    { text: '\\x00', spelled: false },
    { text: '\\x00', spelled: true },
  ])
})

test.each([
  [0, '0 ms'],
  [412.4, '412 ms'],
  [12_400, '12.4 s'],
  [185_000, '3 min 05 s'],
])('%d milliseconds are shown as %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test('one is singular, and thousands are grouped', () => {
  expect([counted(1, 'check'), counted(14312, 'check')]).toEqual(['1 check', '14,312 checks'])
})
