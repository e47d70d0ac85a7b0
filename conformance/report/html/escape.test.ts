import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHtml, html, ours, received, sentence, textOf } from './escape.ts'

const ENTITIES = /&(?:amp|lt|gt|quot|#39|#96|#123);/g

test('an interpolated value is text', () => {
  const name = '<script>alert(1)</script>'
  expect(textOf(html`<p>${name}</p>`)).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
})

test('interpolated markup stays markup, and lists are joined', () => {
  const items = ['a', 'b<'].map((item) => html`<li>${item}</li>`)
  expect(textOf(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>b&lt;</li></ul>')
})

test('undefined, null and false are omitted', () => {
  expect(textOf(html`[${undefined}${null}${false}${[]}]`)).toBe('[]')
  expect(textOf(html`[${0}${''}]`)).toBe('[0]')
})

test('an object with the shape of markup is not markup', () => {
  const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>"}')
  expect(() => textOf(html`${forged}`)).toThrow()
})

test('received text cannot open a tag or end an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [, attribute = '<', content = '<'] =
        /^<p title="([\s\S]*)">([\s\S]*)<\/p>$/.exec(
          textOf(html`<p title="${text}">${text}</p>`),
        ) ?? []
      expect((attribute + content).replace(ENTITIES, '')).not.toMatch(/[<>&"'`]/)
    }),
  )
})

test('controls, bidirectional marks and unpaired surrogates are spelled out', () => {
  expect(escapeHtml('\u0000\u001b[0m\u202e\ud800')).toBe(String.raw`\x00\x1b[0m\u202e\ud800`)
})

test('text for template engines is escaped', () => {
  expect(escapeHtml('{{x}} {%y%} {"a":{}}')).toBe('&#123;{x}} &#123;%y%} {&quot;a&quot;:{}}')
})

test('a received control differs from its received spelling', () => {
  expect(textOf(received('\\x00\u0000'))).toBe('\\x00<span class="ctl">\\x00</span>')
})

test('markup of this folder is not escaped', () => {
  expect(textOf(html`${ours('<b>')}`)).toBe('<b>')
})

test.each([
  ['`port` is a string', '<code>port</code> is a string'],
  ['`<b>` and `x`', '<code>&lt;b&gt;</code> and <code>x</code>'],
  ['one ` alone', 'one &#96; alone'],
])('in %s, names between backticks are code, and the rest is text', (text, markup) => {
  expect(textOf(sentence(text))).toBe(markup)
})
