import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseSection, readSettings, usualPlaces } from './read-settings.ts'

const valuesOf = (text: string) =>
  Object.fromEntries(
    [...parseSection(text, 'a.conf', 'verifier')].map(([name, { value }]) => [name, value]),
  )

test.each([
  ['an equals sign', '[verifier]\nport = 8881', { port: '8881' }],
  ['a colon', '[verifier]\nport: 8881', { port: '8881' }],
  ['a name in capitals', '[verifier]\nPort = 8881', { port: '8881' }],
  ['no value', '[verifier]\nserver_key_password =', { server_key_password: '' }],
  ['a value with the signs of comments', '[verifier]\nurl = a#b;c', { url: 'a#b;c' }],
  ['a value with an equals sign', '[verifier]\nurl = a=b', { url: 'a=b' }],
  ['a value that goes on', '[verifier]\nlist = a,\n  b\nport = 1', { list: 'a,\nb', port: '1' }],
  ['comments and empty lines', '# a\n\n[verifier]\n; b\nport = 1\n  # c\n', { port: '1' }],
  ['Windows line ends', '[verifier]\r\nport = 1\r\n', { port: '1' }],
  ['another section', '[revocations]\nport = 2\n  more\n[verifier]\nport = 1', { port: '1' }],
])('an option is read: %s', (_, text, values) => {
  expect(valuesOf(text)).toEqual(values)
})

test.each([
  ['[verifier]\nport', 'a.conf, line 2: neither a section nor an option with a value'],
  ['port = 1', 'a.conf, line 1: the option port is in no section'],
  ['[verifier]\nport = 1\nPORT = 2', 'a.conf, line 3: the option port is written twice'],
])('a file that Keylime cannot read is refused: %j', (text, sentence) => {
  expect(() => valuesOf(text)).toThrow(expect.objectContaining({ sentence }))
})

/** Writes files below a new directory, and returns it. */
function written(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-keylime-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  return directory
}

const ports = (directories: readonly string[], alone = {}) =>
  readSettings('verifier', { directories, alone })?.options.get('port')?.value

test('the file of the first directory hides that of the second, and its snippets come last', () => {
  const base = '[verifier]\nport = '
  const directory = written({
    'etc/verifier.conf': `${base}1`,
    'usr/verifier.conf': `${base}2`,
    'usr/verifier.conf.d/9.conf': `${base}3`,
  })
  const places = [join(directory, 'etc'), join(directory, 'usr')]
  expect(ports(places)).toBe('3')
  mkdirSync(join(directory, 'etc/verifier.conf.d'))
  writeFileSync(join(directory, 'etc/verifier.conf.d/2.conf'), `${base}5`)
  writeFileSync(join(directory, 'etc/verifier.conf.d/1.conf'), `${base}4`)
  writeFileSync(join(directory, 'etc/verifier.conf.d/3.conf.bak'), `${base}6`)
  expect(ports(places)).toBe('5')
  expect(ports([places[1] ?? ''])).toBe('3')
  expect(ports([join(directory, 'none')])).toBeUndefined()
})

test('the file that an environment variable names is read alone', () => {
  const directory = written({
    'a.conf': '[verifier]\nport = 1',
    'verifier.conf': '[verifier]\nport = 2',
  })
  expect(ports([directory], { verifier: join(directory, 'a.conf') })).toBe('1')
  expect(usualPlaces({ KEYLIME_TENANT_CONFIG: '/t.conf' }).alone).toEqual({ tenant: '/t.conf' })
})

test('quotes and blanks around a value are no part of it', () => {
  const directory = written({ 'verifier.conf': '[verifier]\nport = " 8881"' })
  expect(ports([directory])).toBe('8881')
})

test('a file in place of the directory of snippets is named', () => {
  const directory = written({ 'verifier.conf': '[verifier]', 'verifier.conf.d': '' })
  expect(() => ports([directory])).toThrow(
    expect.objectContaining({
      sentence: `${join(directory, 'verifier.conf.d')} cannot be read: not a directory`,
    }),
  )
})

test('a file that cannot be read is named', () => {
  const directory = written({ 'verifier.conf/in-the-way': '' })
  expect(() => ports([directory])).toThrow(
    expect.objectContaining({
      sentence: `${join(directory, 'verifier.conf')} cannot be read: illegal operation on a directory`,
    }),
  )
})
