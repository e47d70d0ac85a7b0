import { generateKeyPairSync, sign } from 'node:crypto'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { KEYS } from '../../dev/testing/certificates/recorded-keys.ts'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { RUNTIME_POLICY, runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { AK, pcr, quoteData } from '../../dev/testing/verifier/push-requests.ts'
import { RECORDED_NONCE, recorded } from '../../tpm/testing/recorded-boot.ts'
import type { PolicyUpload } from '../policies/read-policy-upload.ts'
import { evaluatedAgent } from './evaluated-agent.ts'
import type { Evaluator, EvaluatorSettings } from './evaluator.ts'
import type { PolicyReference, StoredTask } from './task.ts'
import { evaluatingInWorkers } from './worker-pool.ts'

function pool(
  settings: Partial<EvaluatorSettings> = {},
  start?: (options?: WorkerOptions) => Worker,
) {
  const all = { workers: 1, publicWorkers: 1, limit: 20_000, waiting: 8, ...settings }
  const evaluator = evaluatingInWorkers(all, start, () => false)
  onTestFinished(() => evaluator.close())
  return evaluator
}

/** Evidence that passes: a quote over the challenge. */
function stored(change: Partial<StoredTask> = {}): StoredTask {
  const quote = {
    evidence_class: 'certification',
    evidence_type: 'tpm_quote',
    chosen_parameters: {
      challenge: 'AAAA',
      signature_scheme: 'ecdsa',
      hash_algorithm: 'sha256',
      selected_subjects: [0],
    },
    data: quoteData('AAAA'),
  }
  return {
    kind: 'stored',
    agent: evaluatedAgent(agentRow({ ak_tpm: AK, tpm_policy: JSON.stringify({ 0: [pcr(0)] }) })),
    evidence: new TextEncoder().encode(JSON.stringify([quote])),
    bootPolicy: null,
    carried: undefined,
    begunWith: undefined,
    policyDigest: undefined,
    ignoreTomtouErrors: false,
    bootPolicyName: 'example',
    ...change,
  }
}

/** A worker of the test that goes through some behaviours, one for each question. */
function scripted(behaviours: readonly string[], ready = "parentPort.postMessage('ready')") {
  const source = `
    const { parentPort } = require('node:worker_threads')
    const behaviours = [${behaviours.join(',')}]
    parentPort.on('message', (question) => behaviours.shift()(question))
    ${ready}`
  return () => new Worker(source, { eval: true })
}
const PASSES = `() => parentPort.postMessage({ result: { evaluation: { verdict: 'pass', findings: [] } }, forgotten: [] })`
const HANGS = '() => { for (;;); }'
const DIES = '() => process.exit(3)'

test('a quote without a policy is evaluated without a thread, with the same verdict', async () => {
  const noThread = (): Worker => {
    throw new Error('a thread was started')
  }
  const settings = { workers: 1, publicWorkers: 1, limit: 20_000, waiting: 8 }
  const here = evaluatingInWorkers(settings, noThread)
  const changed = stored({
    agent: { ...stored().agent, tpm_policy: JSON.stringify({ 0: ['00'.repeat(32)] }) },
  })
  for (const task of [() => stored(), () => changed]) {
    const { evaluation } = await here.evaluateStored(task(), undefined)
    expect(evaluation).toEqual((await pool().evaluateStored(task(), undefined)).evaluation)
  }
})

test('stored evidence is evaluated in a thread, which returns the chosen parameters', async () => {
  const { evaluation, chosen } = await pool().evaluateStored(stored(), undefined)
  expect(evaluation).toMatchObject({ verdict: 'pass', findings: [], clock: expect.anything() })
  expect(chosen).toMatchObject({ hash_algorithm: 'sha256', signature_scheme: 'ecdsa' })
})

test('evidence changes hands: nothing of it is kept here', async () => {
  const task = stored()
  await pool().evaluateStored(task, undefined)
  expect(task.evidence).toHaveLength(0)
})

test('the text of a policy goes to a thread once', async () => {
  const evaluator = pool()
  let loaded = 0
  const policy: PolicyReference = {
    digest: 'd',
    load: async () => {
      loaded += 1
      return { digest: 'd', text: RUNTIME_POLICY }
    },
  }
  for (let count = 0; count < 3; count++) {
    const { evaluation } = await evaluator.evaluateStored(stored(), policy)
    expect(evaluation.findings.map(({ type }) => type)).toEqual(['pcr_validation.unused_pcr_10'])
  }
  expect(loaded).toBe(1)
})

test('a policy that was replaced while it was loaded is cached under its new digest', async () => {
  const evaluator = pool()
  const asked = () => Promise.reject(new Error('asked for again'))
  const load = async () => ({ digest: 'new', text: RUNTIME_POLICY })
  const first = await evaluator.evaluateStored(stored(), { digest: 'old', load })
  const again = await evaluator.evaluateStored(stored(), { digest: 'new', load: asked })
  expect(again.evaluation.findings).toEqual(first.evaluation.findings)
  const earlier = evaluator.evaluateStored(stored(), { digest: 'old', load: asked })
  await expect(earlier).rejects.toThrow('asked for again')
})

test('a policy that cannot be parsed is a fault, and the next evidence is evaluated', async () => {
  const evaluator = pool()
  const policy = { digest: 'd', load: async () => ({ digest: 'd', text: '{' }) }
  await expect(evaluator.evaluateStored(stored(), policy)).rejects.toThrow('is not JSON')
  expect((await evaluator.evaluateStored(stored(), undefined)).evaluation.verdict).toBe('pass')
})

test('a policy that cannot be loaded is a fault, and the next evidence is evaluated', async () => {
  const evaluator = pool()
  const policy = { digest: 'd', load: () => Promise.reject(new Error('disk full')) }
  await expect(evaluator.evaluateStored(stored(), policy)).rejects.toThrow('disk full')
  expect((await evaluator.evaluateStored(stored(), undefined)).evaluation.verdict).toBe('pass')
})

const part = (suffix: string) => toBase64(recorded(`rsassa_sha256_10.${suffix}`))
const SENT = {
  nonce: new TextDecoder().decode(RECORDED_NONCE),
  quote: `r${part('attest')}:${part('sig')}:${part('pcrs')}`,
  hash_alg: 'sha256',
  tpm_ak: KEYS.akRsa,
  tpm_ek: KEYS.ek,
}

const RULES = { ignoreTomtouErrors: false, bootPolicyName: 'example' } as const

test('a sent request is evaluated in a thread, and a refusal has a pointer to the faulty member', async () => {
  const evaluator = pool()
  const evaluateWith = (change: object) =>
    evaluator.evaluateSent({
      kind: 'sent',
      evidence: { ...SENT, ...change },
      ...RULES,
    })
  expect((await evaluateWith({})).verdict).toBe('pass')
  expect(await refusalOf(() => evaluateWith({ quote: 'rAAAA:AAAA' }))).toMatchObject({
    code: 'malformed_request',
    pointer: '/quote',
  })
})

/** An upload that is too large to be read here. */
const padded = (text: string): PolicyUpload => ({
  runtime_policy: Buffer.from(text + ' '.repeat(100_000)).toString('base64'),
  signatureRequired: false,
})

test('a large upload is read in a thread, and refused with the place where it is wrong', async () => {
  const evaluator = pool()
  expect((await evaluator.readUpload(padded(RUNTIME_POLICY))).trim()).toBe(RUNTIME_POLICY)
  const wrong = runtimePolicy({ '/usr/bin/true': ['zz'] })
  expect(await refusalOf(() => evaluator.readUpload(padded(wrong)))).toMatchObject({
    code: 'malformed_request',
    pointer: '/runtime_policy',
    message: expect.stringContaining('runtime_policy.digests["/usr/bin/true"][0]: expected'),
  })
})

test('the signature of a large upload is checked in the thread too', async () => {
  const evaluator = pool()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const upload = (signed: PolicyUpload) => {
    const signature = sign(null, Buffer.from(signed.runtime_policy, 'base64'), privateKey)
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    const members = { runtime_policy_sig: toBase64(signature), runtime_policy_key: toBase64(spki) }
    return { ...padded(RUNTIME_POLICY), ...members }
  }
  expect(await evaluator.readUpload(upload(padded(RUNTIME_POLICY)))).toContain('digests')
  expect(
    await refusalOf(() => evaluator.readUpload(upload(padded(`${RUNTIME_POLICY}\n`)))),
  ).toMatchObject({ pointer: '/runtime_policy_sig' })
})

test('an upload that takes too long to read is a fault, and stores nothing', async () => {
  const evaluator = pool({ limit: 100 }, scripted([HANGS]))
  await expect(evaluator.readUpload(padded(''))).rejects.toThrow('was not evaluated within 100 ms')
})

test('an identity quote is evaluated in a thread', async () => {
  const evaluator = pool()
  const agent = evaluatedAgent(agentRow({ ak_tpm: toBase64(fromBase64(KEYS.akRsa)) }))
  const { hash_alg, nonce, quote } = SENT
  const task = { kind: 'identity', agent, hash_alg, nonce, quote } as const
  expect(await evaluator.evaluateIdentity(task)).toEqual([])
  const [found] = await evaluator.evaluateIdentity({ ...task, nonce: 'another' })
  expect(found?.type).toMatch(/^quote_validation/)
})

test('a thread that takes too long is stopped, its evidence fails, and another continues', async () => {
  const started = [scripted([HANGS]), scripted([PASSES])]
  const evaluator = pool({ limit: 100 }, () => (started.shift() ?? scripted([]))())
  const late = await evaluator.evaluateStored(stored(), undefined)
  expect(late.evaluation).toMatchObject({
    verdict: 'fail',
    failureReason: 'broken_evidence_chain',
    findings: [{ type: 'internal.verifier.timeout' }],
  })
  expect((await evaluator.evaluateStored(stored(), undefined)).evaluation.verdict).toBe('pass')
})

test('a thread that works is stopped after as much CPU time, and one that waits for nothing too', async () => {
  const named = `parentPort.postMessage(
    Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)))`
  for (const behaviour of [
    HANGS,
    '() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  ]) {
    const evaluator = pool({ limit: 100 }, scripted([behaviour], named))
    const late = await evaluator.evaluateStored(stored(), undefined)
    expect(late.evaluation.findings[0]?.type).toBe('internal.verifier.timeout')
  }
})

test('a thread that ends at its work is replaced, and its evidence has failed', async () => {
  const started = [scripted([DIES]), scripted([PASSES])]
  const evaluator = pool({}, () => (started.shift() ?? scripted([]))())
  const gone = await evaluator.evaluateStored(stored(), undefined)
  expect(gone.evaluation).toMatchObject({
    verdict: 'fail',
    findings: [{ type: 'internal.verifier.exception' }],
  })
  expect((await evaluator.evaluateStored(stored(), undefined)).evaluation.verdict).toBe('pass')
})

test('a thread that cannot start is a fault, each time, and nothing hangs', async () => {
  const evaluator = pool({}, () => new Worker('throw new Error("no such file")', { eval: true }))
  for (let count = 0; count < 2; count++)
    await expect(evaluator.evaluateStored(stored(), undefined)).rejects.toThrow('no such file')
})

test('threads start when there is work for them, and no more than the settings say', async () => {
  let started = 0
  const evaluator = pool({ workers: 2 }, () => {
    started += 1
    return scripted(Array(6).fill(PASSES))()
  })
  expect(started).toBe(0)
  await evaluator.evaluateStored(stored(), undefined)
  expect(started).toBe(1)
  await Promise.all(Array.from({ length: 6 }, () => evaluator.evaluateStored(stored(), undefined)))
  expect(started).toBe(2)
})

const UNREAD = { kind: 'unread', body: Buffer.from('{}'), version: '2.5', ...RULES } as const

test.each<[string, (evaluator: Evaluator) => Promise<unknown>]>([
  ['evidence', ({ evaluateSent }) => evaluateSent({ kind: 'sent', evidence: SENT, ...RULES })],
  ['a large body', ({ evaluateUnread }) => evaluateUnread(UNREAD)],
])(
  '%s of strangers keeps no agent waiting: it has a thread of lower priority of its own',
  async (_, ask) => {
    const starts: unknown[] = []
    const evaluator = pool({}, (options) => {
      starts.push(options?.workerData)
      return scripted([options?.workerData === undefined ? PASSES : '() => undefined'])()
    })
    void ask(evaluator).catch(() => undefined)
    expect((await evaluator.evaluateStored(stored(), undefined)).evaluation.verdict).toBe('pass')
    expect(starts).toEqual([{ niceness: 10 }, undefined])
  },
)

test('a request that would wait too long is refused with the time to retry; stored evidence waits', async () => {
  const evaluator = pool({ waiting: 1 }, scripted([PASSES, PASSES, PASSES]))
  const sent = () => evaluator.evaluateSent({ kind: 'sent', evidence: SENT, ...RULES })
  const evaluations = [sent(), sent()]
  expect(await refusalOf(sent)).toMatchObject({ code: 'evaluations_full', status: 503 })
  evaluations.push(
    evaluator.evaluateStored(stored(), undefined).then(({ evaluation }) => evaluation),
  )
  expect((await Promise.all(evaluations)).map(({ verdict }) => verdict)).toEqual(
    Array(3).fill('pass'),
  )
})

test('a thread that ends before it begins is a fault of ours, and the next question has another', async () => {
  const starts = [() => new Worker('', { eval: true }), scripted([PASSES])]
  const evaluator = pool({}, () => (starts.shift() ?? scripted([]))())
  await expect(evaluator.evaluateStored(stored(), undefined)).rejects.toThrow('aborted')
  const { evaluation } = await evaluator.evaluateStored(stored(), undefined)
  expect(evaluation.verdict).toBe('pass')
})
