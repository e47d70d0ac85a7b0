import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openLab } from '../testing/lab.ts'
import { digest } from '../tpm/hash.ts'
import type { Machine } from './machine.ts'
import { parseScript, playScript, writeScript } from './script.ts'
import { settleStep, USAGES } from './verbs.ts'

const lab = openLab()

let machine: Machine

beforeAll(async () => {
  machine = await lab.machine({ ak: 'ecc256' })
})

/** Returns the lines that a script adds to the list. */
async function added(script: Parameters<Machine['play']>[0]): Promise<string> {
  const before = machine.ima.count
  await machine.play(script)
  return new TextDecoder().decode(machine.ima.ascii(before))
}

test('a script has one verb and its arguments per line; blank lines and comments are ignored', () => {
  const script = '\n# what runs\nmeasure /bin/a\n  extend 16 00ff  \n'
  expect(parseScript(script)).toEqual([
    ['measure', '/bin/a'],
    ['extend', '16', '00ff'],
  ])
})

test('an argument with blanks or newlines is a JSON string', () => {
  expect(parseScript('measure "/tmp/a b\\n\\"c\\""')).toEqual([['measure', '/tmp/a b\n"c"']])
})

test('steps survive a round trip through text', () => {
  const path = fc.string({ unit: 'binary', maxLength: 12 })
  const step = fc.oneof(
    path.map((one) => ['measure', one] as const),
    path.map((one) => ['violation', one] as const),
    fc.constantFrom(['reboot'] as const, ['fault', 'list-empty'] as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
      expect(parseScript(writeScript(steps))).toEqual(steps)
    }),
  )
})

test.each([
  [
    'reboot\n\nmeasur /bin/a',
    /^script line 3: there is no verb "measur"; .*measure PATH \[DIGEST\]/,
  ],
  ['measure', /^script line 1: 0 argument\(s\) given; write measure PATH \[DIGEST\]$/],
  ['suspend now', /^script line 1: 1 argument\(s\) given; write suspend$/],
  ['measure /bin/a 0g', /^script line 1: DIGEST takes whole bytes in hexadecimal, .*"0g"$/],
  ['extend 24 00', /^script line 1: a PCR is a number from 0 to 23; got "24"$/],
  ['extend 010 00', /^script line 1: a PCR is a number/],
  ['measure "/bin/a', /^script line 1: a quotation mark is not closed/],
  ['measure "\\x"', /^script line 1: .* is not a JSON string/],
  [
    'fault unknown',
    /^script line 1: there is no fault "unknown"; the known faults are quote-magic, /,
  ],
])('%j is refused with its line and the correct form', (script, message) => {
  expect(() => parseScript(script)).toThrow(message)
})

test('an invalid step given as data is refused with its number', () => {
  expect(() => parseScript([['reboot'], ['buf', 'x']])).toThrow(/^script step 2: 1 argument/)
})

test('every verb of the design exists, and template too', () => {
  expect(USAGES).toEqual([
    'template NAME',
    'measure PATH [DIGEST]',
    'violation PATH',
    'buf NAME HEX',
    'key KEYRING FILE-or-HEX',
    'extend PCR HEX',
    'reboot [PROFILE]',
    'suspend',
    'fault NAME',
  ])
})

test('no step runs if a later line is invalid', async () => {
  const before = machine.ima.count
  await expect(playScript(machine, 'measure /bin/a\nmeasure')).rejects.toThrow(/^script line 2/)
  expect(machine.ima.count).toBe(before)
})

test('a file without a digest gets one derived from its name', async () => {
  const once = await added('measure /bin/a')
  expect(once).toMatch(/ ima-sig sha256:[0-9a-f]{64} \/bin\/a \n$/)
  expect(await added([['measure', '/bin/a']])).toBe(once)
})

test('a template applies to later steps, so lists can be mixed', async () => {
  const lines = await added(
    'template ima-ngv2\nmeasure /bin/a\nviolation /bin/a\ntemplate d-ng|n-ng\nmeasure /bin/a\n',
  )
  const templates = lines.split('\n').map((line) => line.split(' ')[2])
  expect(templates).toEqual(['ima-ngv2', 'ima-ngv2', 'd-ng|n-ng', undefined])
  await expect(machine.play('reboot\ntemplate ima-x')).rejects.toThrow(
    /^script line 2: unknown template "ima-x"/,
  )
  await machine.play('template ima-sig')
})

test('a buffer and a key are listed by name, a key from a file too', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'a-'))
  lab.later(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'k.pem')
  writeFileSync(file, '-----BEGIN CERTIFICATE-----\nMIA=\n-----END CERTIFICATE-----\n')
  const lines = await added([
    ['buf', 'label', '3080'],
    ['key', '.ima', '3080'],
    ['key', '.ima', file],
  ])
  const content = Buffer.from(digest('sha256', new Uint8Array([0x30, 0x80]))).toString('hex')
  expect(lines.split('\n').map((line) => line.split(' ').slice(2).join(' '))).toEqual([
    `ima-buf sha256:${content} label 3080`,
    `ima-buf sha256:${content} .ima 3080`,
    `ima-buf sha256:${content} .ima 3080`,
    '',
  ])
})

test('a step with a file is settled to the content of the file', async () => {
  const file = join(await lab.directory(), 'key.der')
  writeFileSync(file, Uint8Array.of(0x30, 0x80))
  expect(await settleStep(['key', '.ima', file])).toEqual(['key', '.ima', '3080'])
  expect(await settleStep(['measure', file])).toEqual(['measure', file])
  await expect(settleStep(['key', '.ima', './nowhere'])).rejects.toThrow(
    'give a DER or PEM file, or the key in hexadecimal',
  )
})

test('a key whose file is missing is refused with the line', async () => {
  await expect(machine.play('reboot\nkey .ima ./nowhere')).rejects.toThrow(
    /^script line 2: ENOENT.*give a DER or PEM file/,
  )
})

test('a PCR is extended with the digest of the bytes, and the list does not grow', async () => {
  const [count, before] = [machine.ima.count, await machine.tpm.pcrRead('sha256', [16])]
  await machine.play('extend 16 00ff')
  const seen = await machine.tpm.pcrRead('sha256', [16])
  const extended = digest('sha256', Uint8Array.of(0, 255))
  const wanted = digest('sha256', new Uint8Array([...(before.get(16) ?? []), ...extended]))
  expect([machine.ima.count, seen.get(16)]).toEqual([count, wanted])
})
