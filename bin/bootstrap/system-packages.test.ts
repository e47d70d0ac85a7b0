import { expect, test } from 'vitest'
import { makeCheckout } from '../test-checkout.ts'
import { commandToType } from './system-packages.js'

const MISSING = ['swtpm', 'tpm2-tools']

test.each([
  ['apt-get', 'sudo apt-get install -y --no-install-recommends swtpm tpm2-tools'],
  ['dnf', 'sudo dnf install -y swtpm tpm2-tools'],
  ['pacman', 'sudo pacman -S swtpm tpm2-tools'],
])('with %s on PATH its install command is named', (manager, line) => {
  const { program, path } = makeCheckout()
  program(manager, ':')
  expect(commandToType(MISSING, { path, isRoot: false })).toBe(line)
})

test('root needs no sudo', () => {
  const { program, path } = makeCheckout()
  program('apk', ':')
  expect(commandToType(MISSING, { path, isRoot: true })).toBe('apk add swtpm tpm2-tools')
})

test('without a known package manager the packages are named', () => {
  const { path } = makeCheckout()
  expect(commandToType(MISSING, { path, isRoot: false })).toBe(
    'install swtpm tpm2-tools with the package manager of this system',
  )
})
