import { expect, test } from 'vitest'
import { parseTenantOptions } from './parse-options.ts'

test.each([
  [['cvlist'], 'cvlist'],
  [['-c', 'cvlist'], 'cvlist'],
  [['--command', 'cvlist'], 'cvlist'],
  [['-c', 'cvlist', 'cvlist'], 'cvlist'],
  [['showallowlist'], 'showruntimepolicy'],
])('%j is the command %s', (words, command) => {
  expect(parseTenantOptions(words)?.command).toBe(command)
})

test.each([
  [['-tp', '9002'], { targetport: '9002' }],
  [['-t', 'host', '-tp', '1'], { targethost: 'host', targetport: '1' }],
  [['-v', 'host', '-vp', '1', '-vi', 'x'], { cv: 'host', cvport: '1', cvid: 'x' }],
  [['-r', 'host', '-rp', '1'], { registrarhost: 'host', registrarport: '1' }],
  [['-nvc'], { verifierCheck: false }],
  [[], { verifierCheck: true, uuid: 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000' }],
  [['--allowlist', 'f'], { runtimePolicy: 'f' }],
  [['--mb_refstate', 'f'], { mbPolicy: 'f' }],
  [['--tpm-policy', '{}'], { tpm_policy: '{}' }],
  [['--supported-version', '2.1'], { agentApiVersion: '2.1' }],
  [['--set', 'a=b', '--set', 'c=d'], { set: ['a=b', 'c=d'] }],
])('%j is read as %j', (words, options) => {
  expect(parseTenantOptions(['reglist', ...words])?.options).toMatchObject(options)
})

test.each([
  [['-c', 'cvlist', 'reglist'], /two commands/],
  [['constructor'], /constructor is no command/],
  [['cvlist', '--nonsense'], /unknown option/],
  [['cvlist', '-tp'], /argument missing/],
  [['cvlist', 'more'], /too many arguments/],
])('%j is refused in a sentence', (words, sentence) => {
  expect(() => parseTenantOptions(words)).toThrow(
    expect.objectContaining({ code: 'usage', sentence: expect.stringMatching(sentence) }),
  )
})
