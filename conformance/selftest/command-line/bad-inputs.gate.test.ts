import { randomBytes, randomUUID } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { makeCa } from '../../target/testing/test-support.ts'
import { startProgram } from '../command.ts'
import { BAD_INPUTS } from './bad-inputs.ts'

const ASSAY = [process.execPath, join(packageRoot(), 'bin', 'assay.js')]
const MOST_BYTES = 2 ** 31
const TARGET =
  "name: x\nversions: ['2.5']\ntls: { ca: ca.crt, admin: { certificate: admin.crt, key: admin.pem } }\n"
const VERIFIER = 'verifier: { url: "https://127.0.0.1:1" }'
const CONTENTS = {
  empty: '',
  'object.json': '{"a":1}',
  'twice.yaml': 'name: x\nname: y\n',
  'role.yaml': `${TARGET}roles: { ${VERIFIER.replace('verifier', 'verifer')} }\n`,
  'number.yaml': `${TARGET}roles: { ${VERIFIER} }\ntime: { quote_interval: 2 }\n`,
  'cut.zip': 'PK\u0003\u0004 cut off',
} as const

const directory = mkdtempSync(join(tmpdir(), 'assay-bad-inputs-'))
const file = (name: string) => join(directory, name)

beforeAll(async () => {
  for (const [name, content] of Object.entries(CONTENTS)) writeFileSync(file(name), content)
  mkdirSync(file('directory'))
  // Neither text nor the beginning of any format.
  writeFileSync(
    file('binary'),
    Buffer.concat([Buffer.from(']\u0000\u0001', 'latin1'), randomBytes(5000)]),
  )
  writeFileSync(file('huge'), '')
  truncateSync(file('huge'), MOST_BYTES + 1)
  const ca = await makeCa(directory)
  await ca.issue('admin', { usages: ['clientAuth'] })
  await ca.issue('other', { usages: ['clientAuth'] })
  await ca.issue('old', { usages: ['clientAuth'], from: -3, to: -2 })
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Processes whose environment has a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)
    } catch {
      return false
    }
  })
}

test.each(BAD_INPUTS)('%j: %s', async (argv, says, next) => {
  const mark = randomUUID()
  const options = { root: directory, env: { BAD_INPUT: mark } }
  const ended = await startProgram([...ASSAY, ...argv], options).ended
  const [first = '', second = '', ...rest] = ended.stderr.trim().split('\n')
  expect(first).toMatch(/^assay: /)
  expect(first).toContain(says)
  expect(first).not.toContain('unexpected')
  expect(second).toMatch(/^next: /)
  expect(second).toContain(next)
  expect([ended.code, rest]).toEqual([2, []])
  expect(processesWith(mark)).toEqual([])
})

test('there are more than fifty, for every verb but those that take no input', () => {
  expect(BAD_INPUTS.length).toBeGreaterThan(50)
})
