import { expect, test } from 'vitest'
import { findStale } from './dependencies.js'

const MACHINE = { platform: 'linux', arch: 'x64', libc: 'glibc' }
const WANTED = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
}

type Packages = Parameters<typeof findStale>[0]

function stale(wanted: Packages, installed: Packages, how: object = {}) {
  return findStale(wanted, installed, { withDev: true, machine: MACHINE, ...how })
}

test('nothing is stale if every package is installed at its path in its version', () => {
  expect(stale(WANTED, WANTED)).toBeUndefined()
})

test('a package that is missing is stale', () => {
  expect(stale(WANTED, {})).toBe('node_modules/a')
})

test('a package in another version is stale', () => {
  const installed = { ...WANTED, 'node_modules/a': { version: '1.0.1' } }
  expect(stale(WANTED, installed)).toBe('node_modules/a')
})

test('a package at another path is stale', () => {
  const installed = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0' },
  }
  expect(stale(WANTED, installed)).toBe('node_modules/a/node_modules/b')
})

test('a recorded package without its folder is stale', () => {
  const isThere = (path: string) => path !== 'node_modules/a'
  expect(stale(WANTED, WANTED, { isThere })).toBe('node_modules/a')
})

test('a development package counts only if development packages are required', () => {
  const wanted = { 'node_modules/d': { version: '1.0.0', dev: true } }
  expect(stale(wanted, {})).toBe('node_modules/d')
  expect(stale(wanted, {}, { withDev: false })).toBeUndefined()
})

test('an optional package may be absent, but not in another version', () => {
  const wanted = { 'node_modules/o': { version: '1.0.0', optional: true } }
  expect(stale(wanted, {})).toBeUndefined()
  expect(stale(wanted, { 'node_modules/o': { version: '2.0.0' } })).toBe('node_modules/o')
})

/** A native package, and whether Linux x64 with glibc requires it. */
const NATIVE = [
  ['linux x64', { os: ['linux'], cpu: ['x64'] }, true],
  ['linux x64 with glibc', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }, true],
  ['linux x64 with musl', { os: ['linux'], cpu: ['x64'], libc: ['musl'] }, false],
  ['linux arm64', { os: ['linux'], cpu: ['arm64'] }, false],
  ['darwin', { os: ['darwin'] }, false],
  ['anything but win32', { os: ['!win32'] }, true],
  ['anything but linux', { os: ['!linux'] }, false],
] as const

test.each(NATIVE)('an optional package for %s', (_, built, needed) => {
  const wanted = { 'node_modules/n': { version: '1.0.0', optional: true, ...built } }
  expect(stale(wanted, {})).toBe(needed ? 'node_modules/n' : undefined)
})
