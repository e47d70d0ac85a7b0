import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHtml, html, ours, received, sentence, textOf } from './escape.ts'

const ENTITIES = /&(?:amp|lt|gt|quot|#39|#96|#123);/g

test('what stands in a hole is text', () => {
  const name = '<script>alert(1)</script>'
  expect(textOf(html`<p>${name}</p>`)).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
})

test('markup in a hole stays markup, and lists are joined', () => {
  const items = ['a', 'b<'].map((item) => html`<li>${item}</li>`)
  expect(textOf(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>b&lt;</li></ul>')
})

test('nothing is written for nothing', () => {
  expect(textOf(html`[${undefined}${null}${false}${[]}]`)).toBe('[]')
  expect(textOf(html`[${0}${''}]`)).toBe('[0]')
})

test('an object that only looks like markup is not taken for it', () => {
  const forged = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>"}')
  expect(() => textOf(html`${forged}`)).toThrow()
})

test('whatever is received can neither open a tag nor leave an attribute', () => {
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

test('controls, bidirectional marks and lone surrogates cannot act', () => {
  expect(escapeHtml('\u0000\u001b[0m\u202e\ud800')).toBe(String.raw`\x00\x1b[0m\u202e\ud800`)
})

test('a template engine finds nothing to do', () => {
  expect(escapeHtml('{{x}} {%y%} {"a":{}}')).toBe('&#123;{x}} &#123;%y%} {&quot;a&quot;:{}}')
})

test('a received control is set apart from the same letters received', () => {
  expect(textOf(received('\\x00\u0000'))).toBe('\\x00<span class="ctl">\\x00</span>')
})

test('our own markup is written as it is', () => {
  expect(textOf(html`${ours('<b>')}`)).toBe('<b>')
})

test.each([
  ['`port` is a string', '<code>port</code> is a string'],
  ['`<b>` and `x`', '<code>&lt;b&gt;</code> and <code>x</code>'],
  ['one ` alone', 'one &#96; alone'],
])('names between backticks of %s are code, and the rest is text', (text, markup) => {
  expect(textOf(sentence(text))).toBe(markup)
})
