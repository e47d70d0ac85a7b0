import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { NOON } from '../../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { evaluate } from '../../evidence/evaluate.ts'
import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { recordedCase } from '../../evidence/testing/recorded-case.ts'
import { listOf, writeEntry } from '../../evidence/testing/written-list.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { policyMain } from './policy.ts'

function boot(file: string): string {
  return fileURLToPath(new URL(`../../../fixtures/boots/full-ovmf-imasig/${file}`, import.meta.url))
}

function file(content: string | Uint8Array): string {
  const path = join(temporaryDirectory(), 'file')
  writeFileSync(path, content)
  return path
}

function say(...words: readonly string[]) {
  const said = { out: '', err: '' }
  const into = (stream: 'out' | 'err') => ({
    write: (text: string) => {
      said[stream] += text
    },
  })
  const code = policyMain(['runtime', ...words], { out: into('out'), err: into('err') }, NOON)
  return { code, ...said }
}

/** Failures of the recorded boot under a policy; its violations are another question. */
function failuresUnder(policy: string): readonly string[] {
  const bytes = recorded('ascii_after_tools')
  const { findings } = evaluate(
    recordedCase({
      ima: { format: 'ascii', bytes, startingOffset: 0 },
      ...{ runtimePolicy: parseRuntimePolicy(policy), ignoreTomtouErrors: true },
    }),
  )
  return findings.map(({ type, context }) => `${type} ${String(context.path)}`)
}

test.each(['ascii_after_tools', 'binary_after_tools'])(
  'under a policy of %s that very boot passes',
  (list) => {
    const { code, out, err } = say('--ima-log', boot(list))
    expect(code).toBe(0)
    expect(failuresUnder(out)).toEqual([])
    expect(err).toMatch(
      /violations: the list passes only where the verifier has ignore_tomtou_errors/,
    )
  },
)

test('without one of its files, the boot fails for that file alone', () => {
  const { digests, ...rest } = JSON.parse(say('--ima-log', boot('ascii_after_tools')).out)
  const path = Object.keys(digests).find((name) => name.startsWith('/mnt/usr/bin/')) ?? ''
  const { [path]: _, ...left } = digests
  const failures = failuresUnder(JSON.stringify({ ...rest, digests: left }))
  expect(failures.length).toBeGreaterThan(0)
  expect(new Set(failures)).toEqual(
    new Set([expect.stringMatching(new RegExp(`not_in_allowlist ${path}$`))]),
  )
})

test('excluded paths are left out, listed, and pass', () => {
  const { out, err } = say('--ima-log', boot('ascii_after_tools'), '--exclude', '/mnt/usr/.*')
  const { digests, excludes } = JSON.parse(out)
  expect(excludes).toEqual(['/mnt/usr/.*'])
  expect(Object.keys(digests).filter((path) => path.startsWith('/mnt/usr/'))).toEqual([])
  expect(err).toMatch(/entries are of excluded paths/)
  expect(failuresUnder(out)).toEqual([])
})

test('lines as sha256sum writes them are allowed too', () => {
  const lines = `${'ab'.repeat(32)}  /opt/a b\n${'cd'.repeat(32)} */opt/c\n`
  const { out } = say('--ima-log', boot('ascii_before_tools'), '--allow', file(lines))
  const { digests } = JSON.parse(out)
  expect(digests).toMatchObject({ '/opt/a b': ['ab'.repeat(32)], '/opt/c': ['cd'.repeat(32)] })
})

test('the policy is written to a file with its metadata', () => {
  const output = join(temporaryDirectory(), 'policy.json')
  const { out, err } = say('--ima-log', boot('ascii_before_tools'), '-o', output)
  expect(out).toBe('')
  expect(err).toMatch(/policy.json: \d+ paths\n$/)
  expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({
    meta: { version: 1, generator: 2, timestamp: '2026-01-02T03:04:05.678Z' },
    ima: { log_hash_alg: 'sha1', dm_policy: null },
  })
})

test('a name that programs are tripped up by is a name like any other', () => {
  const digest = { algorithm: 'sha256', hex: '11'.repeat(32) }
  const list = listOf([writeEntry({ template: 'ima-ng', name: '__proto__', digest })])
  const { out } = say('--ima-log', file(list))
  expect(parseRuntimePolicy(out).allows('__proto__', digest.hex)).toBe(true)
})

const LINE =
  new TextDecoder()
    .decode(recorded('ascii_before_tools'))
    .split('\n')
    .find((line) => line.includes(' ima-sig ')) ?? ''

test.each([[['--ima-log', '/none'], /^--ima-log \/none: there is no such file$/]])(
  '%j is refused with a sentence',
  (words, sentence) => {
    expect(() => say(...words)).toThrow(
      expect.objectContaining({ sentence: expect.stringMatching(sentence) }),
    )
  },
)

test.each([
  ['a line that is no entry', `${LINE}\nnonsense\n`, /entry 1: expected PCR/],
  [
    'an entry that was edited',
    `${LINE.replace(/sha256:../, 'sha256:00')}\n`,
    /entry 0: the template hash is not/,
  ],
  ['an entry of another PCR', `11${LINE.slice(2)}\n`, /entry 0 is for PCR 11/],
])('%s is not trusted, and no policy is written', (_, list, sentence) => {
  const output = join(temporaryDirectory(), 'policy.json')
  const words = ['--ima-log', file(list), '-o', output]
  expect(() => say(...words)).toThrow(
    expect.objectContaining({ sentence: expect.stringMatching(sentence) }),
  )
  expect(existsSync(output)).toBe(false)
})

test.each([
  [['--exclude', '('], /^--exclude: excludes\[0\]/],
  [['--allow', '/none'], /no such file/],
  [['-o', '/none/policy.json'], /cannot be written/],
  [['--nonsense'], /unknown option/],
])('%j is refused with a sentence too', (words, sentence) => {
  expect(() => say('--ima-log', boot('ascii_before_tools'), ...words)).toThrow(
    expect.objectContaining({ sentence: expect.stringMatching(sentence) }),
  )
})
