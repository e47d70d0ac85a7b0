import Libsql from 'libsql'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rememberStatements } from './remember-statements.ts'

function counted() {
  const connection = new Libsql(':memory:')
  onTestFinished(() => void connection.close())
  connection.exec('create table numbers (number integer)')
  const prepare = vi.spyOn(connection, 'prepare')
  return { database: rememberStatements(connection), prepared: () => prepare.mock.calls.flat() }
}

const READ = 'select number from numbers where number > ?'
const WRITE = 'insert into numbers values (?)'

test('a statement is prepared once, and returns current rows', () => {
  const { database, prepared } = counted()
  for (const number of [1, 2]) {
    database.prepare(WRITE).run([number])
    expect(database.prepare(READ).all([0])).toHaveLength(number)
    expect(database.prepare(READ).all([1])).toHaveLength(number - 1)
  }
  expect(prepared()).toEqual([WRITE, READ])
})

test('a large text is written by a statement of its own, which goes with it', () => {
  const { database, prepared } = counted()
  for (const text of ['x'.repeat(5000), 'x'.repeat(5000), 'x']) database.prepare(WRITE).run([text])
  expect(prepared()).toEqual([WRITE, WRITE, WRITE])
  expect(database.prepare(READ).all([0])).toHaveLength(3)
})

test('texts without end do not fill the memory', () => {
  const { database, prepared } = counted()
  const texts = Array.from({ length: 1000 }, (_, count) => `select ${count}`)
  for (const text of [...texts, ...texts]) database.prepare(text).all([])
  expect(prepared().length).toBeGreaterThan(1500)
})
