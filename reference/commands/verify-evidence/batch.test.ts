import { readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { inProcessEvaluators } from '../../verifier/evaluation/in-process-evaluator.ts'
import { type BatchStreams, verifyBatchMain } from './batch.ts'

const BODY = {
  nonce: 'Ab3dEfGh1jKlMnOpQrSt',
  quote: `r${['attest', 'sig', 'pcrs'].map((part) => toBase64(recorded(`rsassa_sha256_10.${part}`))).join(':')}`,
  hash_alg: 'sha256',
  tpm_ak: toBase64(recorded('ak_rsa.tpm2b_public')),
  tpm_ek: 'AAAA',
}
const VALID = JSON.stringify(BODY)
const INVALID = JSON.stringify({ ...BODY, nonce: 'another' })

/** The exit code of a batch and its answers, each checked against the published schema. */
async function batch(
  chunks: Iterable<string>,
  { words = [], evaluator }: { words?: string[] } & Pick<BatchStreams, 'evaluator'> = {},
) {
  let text = ''
  const out = new Writable({
    write(chunk, _, done) {
      text += String(chunk)
      done()
    },
    highWaterMark: 1,
  })
  const input = Readable.from([...chunks].map((chunk) => Buffer.from(chunk)))
  const code = await verifyBatchMain(['--batch', ...words], { input, out, evaluator })
  const answers = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  expect(answers.flatMap((each) => (fits(each) ? [] : fits.errors))).toEqual([])
  return { code, answers }
}

const [verdicts, lines] = ['verify-evidence', 'verify-evidence-batch'].map((name) => {
  const path = new URL(`../../../reports/schema/${name}.schema.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8'))
})
const fits = new Ajv2020({ strict: false }).addSchema(verdicts).compile(lines)

test('each line has its verdict, in order, until the input ends', async () => {
  const { code, answers } = await batch([`${VALID}\n${INVALID}\n`, `${VALID}\n`])
  expect([code, answers.map(({ valid }) => valid)]).toEqual([0, [true, false, true]])
  expect(answers[1].failures).toMatchObject([{ type: 'quote_validation.quote_validation' }])
})

test('an evaluation has the time of the settings, or any time', async () => {
  const limits: number[] = []
  const evaluator: BatchStreams['evaluator'] = (settings) => {
    limits.push(settings.limit)
    return inProcessEvaluators()(settings)
  }
  await batch([], { evaluator, words: ['--set', 'evaluation_limit=7'] })
  await batch([], { evaluator, words: ['--no-limit'] })
  expect(limits).toEqual([7000, Number.POSITIVE_INFINITY])
})

test('a boot policy that cannot be read is refused by its name', async () => {
  const { answers } = await batch([
    `${JSON.stringify({ ...BODY, mb_policy: '{"kernels":[1]}' })}\n`,
  ])
  expect(answers[0].error).toMatch(/^mb_policy\.kernels\[0\]/)
})

test('a line may come in any pieces, and the last one without a newline', async () => {
  const { answers } = await batch(`${INVALID}\n${VALID}`)
  expect(answers.map(({ valid }) => valid)).toEqual([false, true])
})

test.each([
  ['that is not JSON', '{"nonce"', 'not JSON', null],
  ['that is empty', '', 'must be object', ''],
  ['without a nonce', JSON.stringify({ ...BODY, nonce: undefined }), 'is missing', '/nonce'],
  [
    'with a quote of two parts',
    JSON.stringify({ ...BODY, quote: 'rAAAA:AAAA' }),
    'quote',
    '/quote',
  ],
  ['with a member twice', VALID.replace('{', '{"nonce":"x",'), 'a member twice', null],
])(
  'a line %s is answered with the reason, and the next one is judged',
  async (_, line, why, pointer) => {
    const { code, answers } = await batch([`${line}\n${VALID}\n`])
    expect(code).toBe(0)
    expect(answers[0]).toMatchObject({ error: expect.stringContaining(why), pointer })
    expect(answers[1].valid).toBe(true)
  },
)

test('a line that is too long is refused without being kept, and the next one is judged', async () => {
  const piece = 'x'.repeat(1024 * 1024)
  const { answers } = await batch([...Array.from({ length: 17 }, () => piece), `\n${VALID}\n`])
  expect(answers[0].error).toBe('the line has more than 16777216 bytes')
  expect(answers[1].valid).toBe(true)
  const small = await batch([`${VALID}\n`], { words: ['--set', 'max_upload_size=1024'] })
  expect(small.answers[0].error).toBe('the line has more than 1024 bytes')
})

test('a fault of the evaluation ends the batch', async () => {
  const evaluator: BatchStreams['evaluator'] = (settings) => ({
    ...inProcessEvaluators()(settings),
    evaluateSent: () => Promise.reject(new TypeError('a fault')),
  })
  await expect(batch([`${VALID}\n`], { evaluator })).rejects.toThrow('a fault')
})

test('evidence in options is refused beside a batch', async () => {
  await expect(batch([], { words: ['--nonce', 'x'] })).rejects.toThrow("unknown option '--nonce'")
})
