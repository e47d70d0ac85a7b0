import { expect, test } from 'vitest'
import { evaluate } from '../evaluate.ts'
import { PolicyError } from '../policy-error.ts'
import { RECORDED_QUOTES, recordedCase } from '../testing/recorded-case.ts'
import { parseTpmPolicy } from './tpm-policy.ts'

const PCR0 = 'D57B9BA9E61E694676B8E5D5FFDF950A21D06BD8F02F8A83FE62BB8D4F0D904A'
const OTHER = '00'.repeat(32)

function typesFor(policy: unknown): readonly string[] {
  const tpmPolicy = parseTpmPolicy(JSON.stringify(policy))
  return evaluate(recordedCase({ tpmPolicy })).findings.map(({ type }) => type)
}

test('a value in the list passes, in either case and with 0x', () => {
  expect(typesFor({ '0': [OTHER, PCR0], mask: '0x1' })).toEqual([])
  expect(typesFor({ '0': `0x${PCR0.toLowerCase()}` })).toEqual([])
})

test('a value that is not in the list violates the policy', () => {
  expect(typesFor({ '0': [OTHER] })).toEqual(['pcr_validation.invalid_pcr_0'])
})

test('an empty list allows nothing', () => {
  expect(typesFor({ '7': [] })).toEqual(['pcr_validation.invalid_pcr_7'])
})

test('a digest of another bank does not match', () => {
  expect(typesFor({ '0': ['7346FEFB38B32F21B2F225E55D306A38E10361F5'] })).toEqual([
    'pcr_validation.invalid_pcr_0',
  ])
})

test('a PCR of the policy that was not quoted is missing', () => {
  const quote = {
    file: 'rsassa_sha256_10',
    key: 'ak_rsa',
    hash: 'sha256',
    bank: 'sha256',
    pcrs: [],
  }
  const tpmPolicy = parseTpmPolicy(JSON.stringify({ '0': [PCR0] }))
  const { findings, failureReason } = evaluate(recordedCase({ tpmPolicy }, quote))
  expect(findings).toMatchObject([{ type: 'pcr_validation.missing_pcrs', context: { pcrs: [0] } }])
  expect(failureReason).toBe('policy_violation')
})

test('a PCR of the mask that was not quoted is missing, a mask of quoted ones is met', () => {
  const quote = RECORDED_QUOTES.find(({ file }) => file === 'rsassa_sha256_10')
  const evaluationOf = (mask: string) => {
    const tpmPolicy = parseTpmPolicy(JSON.stringify({ mask }))
    return evaluate(recordedCase({ tpmPolicy }, quote)).findings
  }
  expect(evaluationOf('0x400')).toEqual([])
  expect(evaluationOf('0x408400')).toMatchObject([
    {
      type: 'pcr_validation.missing_pcrs',
      context: { check: 'tpm-policy.mask', pcrs: [15, 22] },
    },
  ])
})

test('the mask is read as PCR numbers', () => {
  expect(parseTpmPolicy('{"mask":"0x408001"}').mask).toEqual([0, 15, 22])
})

test.each([
  ['text that is not JSON', '{', 'tpm_policy: is not JSON'],
  ['a list', '[]', 'tpm_policy: expected an object'],
  ['a PCR out of range', '{"24":[]}', 'tpm_policy["24"]: the key is not a PCR number'],
  ['another spelling', '{"010":[]}', 'tpm_policy["010"]'],
  ['a prototype', '{"__proto__":[]}', 'tpm_policy["__proto__"]'],
  ['a digest that is no text', '{"1":["ab",7]}', 'tpm_policy["1"][0]: 2 digits are no digest'],
  ['no hexadecimal', '{"1":["zz"]}', 'tpm_policy["1"][0]: expected a hexadecimal digest'],
  ['a mask with PCR 24', '{"mask":"0x1000000"}', 'tpm_policy.mask: expected hexadecimal text'],
  ['a mask that is a number', '{"mask":1}', 'tpm_policy.mask: expected hexadecimal text'],
])('%s is refused with its path', (_, text, problem) => {
  expect(() => parseTpmPolicy(text)).toThrow(problem)
  expect(() => parseTpmPolicy(text)).toThrow(PolicyError)
})
