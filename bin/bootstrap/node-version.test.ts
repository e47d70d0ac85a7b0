import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkNode, satisfies } from './node-version.js'

const ROOT = new URL('../../', import.meta.url)
const { engines } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))

test.each(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.1.0'])(
  'Node %s is new enough',
  (version) => {
    expect(satisfies(version, engines.node)).toBe(true)
  },
)

test.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0'])('Node %s is too old', (version) => {
  expect(satisfies(version, engines.node)).toBe(false)
})

test('a Node version that is too old is rejected with the required range', () => {
  expect(() => checkNode(ROOT, '18.20.8')).toThrow(
    `this is Node 18.20.8, and Assay needs ${engines.node}`,
  )
})

test('a range of an unknown form accepts no version', () => {
  expect(() => satisfies('20.19.0', '20.x')).toThrow('has an unknown form: 20.x')
})
