import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { StartFault } from '../../errors.ts'
import { nameOf, parsePostgresUrl } from './postgres-url.ts'

function faultOf(url: string): StartFault {
  try {
    parsePostgresUrl(url)
  } catch (error) {
    if (error instanceof StartFault) return error
    throw error
  }
  throw new Error('the URL was taken')
}

test('a URL holds the user, the server and the database; escapes are decoded', () => {
  expect(parsePostgresUrl('postgres://u%40x:p%3A%2F@127.0.0.1:5433/a%20b')).toEqual({
    host: '127.0.0.1',
    port: 5433,
    user: 'u@x',
    database: 'a b',
    password: 'p:/',
    tls: undefined,
  })
})

test('the port and the password are optional, an IPv6 address is in brackets', () => {
  const place = parsePostgresUrl('postgresql://u@[::1]/n')
  expect(place).toMatchObject({ host: '::1', port: 5432, password: undefined })
  expect(nameOf(place)).toBe('postgres://u@[::1]:5432/n')
})

test('the displayed address has no password', () => {
  expect(nameOf(parsePostgresUrl('postgres://u:SECRET@h/n'))).toBe('postgres://u@h:5432/n')
})

test.each([
  ['postgres://h/n', 'the database URL names no user'],
  ['postgres://u@h', 'the database URL names no database'],
  ['postgres:///n', 'the database URL names no user'],
  ['postgres://u:SECRET@h:99999/n', 'the database URL cannot be read'],
  ['postgres://u:SECRET%zz@h/n', 'the database URL has a % that begins no escape'],
  [
    'postgres://u:SECRET@h/n?host=other',
    'the database URL has a parameter host, which is not one of sslmode, sslrootcert',
  ],
  [
    'postgres://u:SECRET@h/n?sslmode=require',
    'the database URL has sslmode=require, which does not authenticate the server',
  ],
  [
    'postgres://u:SECRET@h/n?sslrootcert=/nowhere.pem',
    'the CA certificate /nowhere.pem of the database URL cannot be read',
  ],
])('%s is refused: %s', (url, sentence) => {
  const fault = faultOf(url)
  expect(fault.sentence).toBe(sentence)
  expect(`${fault.sentence} ${fault.next} ${String(fault.cause)}`).not.toContain('SECRET')
})

test('a remote server needs TLS, unless the URL says that the network is trusted', () => {
  expect(parsePostgresUrl('postgres://u@127.0.0.1/n').tls).toBeUndefined()
  expect(parsePostgresUrl('postgres://u@localhost/n').tls).toBeUndefined()
  expect(parsePostgresUrl('postgres://u@192.0.2.1/n').tls).toEqual({})
  expect(parsePostgresUrl('postgres://u@192.0.2.1/n?sslmode=disable').tls).toBeUndefined()
})

test('the CA of the server may be named', () => {
  const file = join(temporaryDirectory(), 'ca.pem')
  writeFileSync(file, 'PEM')
  const url = `postgres://u@localhost/n?sslmode=verify-full&sslrootcert=${file}`
  expect(parsePostgresUrl(url).tls).toEqual({ ca: 'PEM' })
})
