import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { endianness, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { answerOfLine, compareAnswers, reasonOf } from './compare-answers.ts'
import { type EvidenceFile, filesIn } from './evidence-files.ts'
import { mutatedFiles } from './mutate-file.ts'
import { OURS, type Reader } from './readers.ts'
import { runReaders } from './run-readers.ts'
import { cellsOf } from './tally.ts'

const read = (events: readonly object[]) => answerOfLine(JSON.stringify({ events }))

/** Fields of a comparison with their results, without those that agree. */
function differences(one: readonly object[], other: readonly object[]) {
  return compareAnswers(read(one), read(other)).flatMap(({ field, result, difference }) =>
    result === 'agree' ? [] : [`${field}: ${difference}`],
  )
}

test('fields that only one reader knows are not compared', () => {
  const [full, short] = [{ pcr: 1, type: 4, data: 'aa' }, { pcr: 1 }]
  expect(differences([full], [short])).toEqual([])
  expect(differences([full, full], [full, { ...full, data: undefined }])).toEqual([])
})

test('an event type is the same by its name and by its number', () => {
  expect(differences([{ type: 4 }], [{ type: 'EV_SEPARATOR' }])).toEqual([])
  expect(differences([{ type: 5 }], [{ type: 'EV_SEPARATOR' }])).toEqual(['type: another value'])
})

test('digests are compared by algorithms that both readers know, and a missing one differs', () => {
  const [both, one] = [{ digests: { sha256: 'b', sha1: 'a' } }, { digests: { sha1: 'a' } }]
  expect(differences([both], [one])).toEqual([])
  expect(differences([both, both], [both, one])).toEqual(['digests: another value'])
  expect(differences([both], [{ digests: { sha1: 'a', sha256: 'b' } }])).toEqual([])
})

test('an additional event is one difference, and the events before it are compared', () => {
  const [one, other] = [{ pcr: 1 }, { pcr: 2 }]
  expect(differences([one], [one, one])).toEqual(['count: theirs has more'])
  expect(differences([one, one], [other])).toEqual(['count: ours has more', 'pcr: another value'])
})

test('the values of a difference in true and false are named', () => {
  const [one, other] = [{ hashHolds: false }, { hashHolds: true }]
  expect(differences([one], [other])).toEqual(['hashHolds: false, theirs true'])
})

test('the same reason has the same text for other numbers, digests and quotations', () => {
  const reasons = ['byte 12: "x" is 0xff', 'byte 7: "long" is 0x10 '].map(reasonOf)
  expect(new Set(reasons.map((reason) => reason.trim())).size).toBe(1)
})

test('lines that are no answer are no agreement, even if both readers print them', () => {
  for (const line of ['', '[]', '{}', '{"events": 1}', '{"events": [1]}', '{"crash": "SIGSEGV"}'])
    expect(compareAnswers(answerOfLine(line), answerOfLine(line))).toMatchObject([
      { field: 'answer', result: 'no answer' },
    ])
})

/** A reader that rejects an empty file, and answers every other one with what a script makes of it. */
function scripted(name: string, script: string): Reader {
  const program = `
    const rows = (pcr) => ({ events: [{ pcr }] })
    const answer = (text) => { ${script} }
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const text = Buffer.from(JSON.parse(line).bytes, 'base64').toString()
      const answered = text === '' ? { error: 'empty' } : answer(text)
      if (answered) console.log(JSON.stringify(answered))
    })`
  return { name, kinds: ['log'], command: [process.execPath, '-e', program] }
}

const files = ['first', 'second', 'third'].map(
  (text): EvidenceFile => ({ name: text, kind: 'log', bytes: Buffer.from(text) }),
)

test('each reader has its row: one that agrees, differs, rejects, crashes, hangs', async () => {
  const onSecond = (what: string) => `if (text === 'second') ${what}; return rows(text.length)`
  const others = [
    scripted('agrees', 'return rows(text.length)'),
    scripted('differs', onSecond('return rows(0)')),
    scripted('rejects', onSecond("return { error: 'a bad byte at 7' }")),
    scripted('crashes', onSecond('process.exit(3)')),
    scripted('hangs', onSecond('return undefined')),
    { ...scripted('another kind', 'return rows(0)'), kinds: ['quote'] as const },
    { name: 'missing', kinds: ['log'] as const, command: ['/nowhere/reader'] },
  ]
  const ours = scripted('ours', 'return rows(text.length)')
  const { tally, absent } = await runReaders(ours, others, files, { deadlineMs: 300 })
  expect(cellsOf(tally.rows()).filter(([, , field]) => field !== 'count')).toEqual([
    ['log', 'agrees', 'answer', 3, 0, 0, 0],
    ['log', 'agrees', 'pcr', 3, 0, 0, 0],
    ['log', 'crashes', 'answer', 2, 0, 0, 1],
    ['log', 'crashes', 'pcr', 2, 0, 0, 0],
    ['log', 'differs', 'answer', 3, 0, 0, 0],
    ['log', 'differs', 'pcr', 2, 1, 0, 0],
    ['log', 'hangs', 'answer', 2, 0, 0, 1],
    ['log', 'hangs', 'pcr', 2, 0, 0, 0],
    ['log', 'rejects', 'answer', 2, 0, 1, 0],
    ['log', 'rejects', 'pcr', 2, 0, 0, 0],
  ])
  expect(absent.map(({ name }) => name)).toEqual(['missing'])
  expect(tally.groups().map(({ reader, difference }) => `${reader}: ${difference}`)).toEqual([
    'crashes: theirs gives no answer: crash: ended with exit code N',
    'differs: another value',
    'hangs: theirs gives no answer: hang',
    'rejects: theirs rejects: a bad byte at N',
  ])
  expect(tally.groups()[1]?.example).toMatchObject({
    file: 'second',
    ours: { at: 0, value: 6 },
    theirs: { at: 0, value: 0 },
  })
  expect(tally.unanswered('ours')).toBe(0)
})

test('a crash of our reader is counted, whatever the other reader answers', async () => {
  const [ours, other] = [
    scripted('ours', 'process.exit(1)'),
    scripted('other', "return { error: 'no log' }"),
  ]
  const { tally } = await runReaders(ours, [other], files, { deadlineMs: 5000 })
  expect(tally.unanswered('ours')).toBe(3)
})

const found = filesIn(join(packageRoot(), 'fixtures', 'boots'))

test('files are found by their content', () => {
  const names = (kind: EvidenceFile['kind']) =>
    found.filter((one) => one.kind === kind).map(({ name }) => name.split('/')[1])
  expect(names('log')).toEqual(['binary_bios_measurements'])
  expect(names('list')).toEqual(['binary_after_tools', 'binary_before_tools'])
  expect(names('text-list')).toEqual(['ascii_after_tools', 'ascii_before_tools'])
  expect(names('quote').every((name) => name?.endsWith('.attest'))).toBe(true)
})

test('a seed gives the same mutations of all kinds, and another seed gives others', () => {
  const made = (seed: string) => [...mutatedFiles(found, seed, 40)]
  expect(made('one')).toEqual(made('one'))
  expect(made('one')).not.toEqual(made('two'))
  expect(new Set(made('one').map(({ kind }) => kind)).size).toBe(4)
  const originals = new Set(found.map(({ bytes }) => Buffer.from(bytes).toString('base64')))
  const changed = made('one').filter(
    ({ bytes }) => !originals.has(Buffer.from(bytes).toString('base64')),
  )
  expect(changed.length).toBeGreaterThan(35)
})

/** The answer of a reader to a file of these bytes. */
function answerOf([command = '', ...words]: readonly string[], bytes: Uint8Array, path = '') {
  const input = `${JSON.stringify({ kind: 'quote', bytes: Buffer.from(bytes).toString('base64') })}\n`
  const env = { ...process.env, PATH: `${path}${delimiter}${process.env['PATH']}` }
  return JSON.parse(spawnSync(command, words, { input, env }).stdout.toString())
}

/** What the adapter of a program answers when the program prints this and ends with an exit code. */
function answerToPrinted(program: string, printed: string, code = 0) {
  const directory = mkdtempSync(join(tmpdir(), 'assay-program-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const script = `#!/bin/sh\ncat << 'END'\n${printed}\nEND\nexit ${code}\n`
  writeFileSync(join(directory, program), script, { mode: 0o755 })
  const adapter = join(packageRoot(), 'tools', 'readers', 'adapters', 'programs.js')
  return answerOf([process.execPath, adapter, program], new Uint8Array(), directory)
}

test('firmwareVersion is a number whose bytes tpm2_print shows as they are in memory', () => {
  const digits = endianness() === 'LE' ? '3636160023101920' : '2019102300163636'
  const printed = `magic: ff544347\nfirmwareVersion: ${digits}`
  expect(answerToPrinted('tpm2_print', printed)).toMatchObject({
    attest: { magic: 0xff544347, firmwareVersion: `${0x2019102300163636n}` },
  })
})

test('evmctl rejects a list for the error at which it stops reading, not for a template hash before it', () => {
  const before = 'Failed to verify template data digest(line 3).\n10 aa ima-ng sha256:bb /a\n'
  for (const error of ['"ima" and other formats not supported.', 'file pathname is too long'])
    expect(answerToPrinted('evmctl', before + error, 1)).toEqual({ error })
})

test('our reader rejects TPMS_ATTEST with another magic', () => {
  const quote = found.find(({ kind }) => kind === 'quote')
  const bytes = Buffer.from(quote?.bytes ?? [])
  expect(answerOf(OURS.command, bytes)).toMatchObject({ attest: { magic: 0xff544347 } })
  bytes.writeUInt8(0xfe, 0)
  expect(answerOf(OURS.command, bytes)).toEqual({
    error: 'TPMS_ATTEST.magic at byte 0: expected 0xff544347',
  })
})
