import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { parsePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { parseBootLog } from '../../evidence/uefi/log/parse-log.ts'
import { TPMS_ATTEST } from '../../tpm/attest.ts'
import { decode } from '../../tpm/codec.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { begun, CHALLENGE, IMA, QUOTE, UEFI } from './testing/push-answers.ts'
import { LIST, reply, testEnvironment } from './testing/push-environment.ts'
import { asked, attributesOf, run } from './testing/run-cycles.ts'
import { stubPushAttester } from './testing/stub-push-attester.ts'

/** The evidence that is sent for these requested items. */
async function collectedFor(requested: readonly unknown[], scene = testEnvironment()) {
  scene.answers('capabilities', reply(201, begun(requested)))
  await run(scene)
  const items = attributesOf(asked(scene, 'evidence')[0])['evidence_collected']
  return items as readonly { evidence_type: string; data: Readonly<Record<string, unknown>> }[]
}

test('the offers match the machine and have the form of the document', async () => {
  const scene = testEnvironment()
  await run(scene)
  expect(attributesOf(asked(scene, 'capabilities')[0])).toMatchObject({
    evidence_supported: [
      {
        evidence_type: 'tpm_quote',
        capabilities: {
          ...{ signature_schemes: ['ecdsa'], hash_algorithms: ['sha256'] },
          ...{ available_subjects: [0, 7, 10, 16], component_version: '2.0' },
          certification_keys: [
            {
              ...{ key_class: 'asymmetric', key_algorithm: 'ecc', key_size: 256 },
              ...{
                server_identifier: 'ak',
                public: toBase64(stubPushAttester.akPublic.subarray(2)),
              },
            },
          ],
        },
      },
      {
        evidence_type: 'ima_log',
        capabilities: { entry_count: 3, supports_partial_access: true, formats: ['text/plain'] },
      },
      { evidence_type: 'uefi_log', capabilities: { formats: ['application/octet-stream'] } },
    ],
    system_info: { boot_time: '2026-01-01T00:00:00.000Z' },
  })
})

test('a machine without logs offers none', async () => {
  const nothing = async () => undefined
  const scene = testEnvironment({ countIma: nothing, countBootEvents: nothing })
  await run(scene)
  const { evidence_supported } = attributesOf(asked(scene, 'capabilities')[0])
  expect(evidence_supported).toHaveLength(1)
})

test('the requested evidence is sent, in the order of the request', async () => {
  const [log, quote] = await collectedFor([IMA, QUOTE])
  expect(log).toMatchObject({
    data: { entry_count: 2, entries: LIST.slice(LIST.indexOf('10 bb')) },
  })
  const { message, subject_data } = quote?.data ?? {}
  expect(subject_data).toEqual({ 0: '00'.repeat(32), 10: '0a'.repeat(32) })
  const { extraData } = decode(TPMS_ATTEST, fromBase64(String(message)))
  expect(toBase64(extraData)).toBe(CHALLENGE)
})

test('a verifier that chooses PCRs by bank gets their values in the blob of the usual tools', async () => {
  const chosen_parameters = {
    ...QUOTE.chosen_parameters,
    selected_subjects: { sha256: [10, 0], sha1: null },
  }
  const [quote] = await collectedFor([{ ...QUOTE, chosen_parameters }])
  const [bank] = parsePcrBlob(fromBase64(String(quote?.data['subject_data'])))
  expect([...(bank?.values.keys() ?? [])]).toEqual([0, 10])
})

test('entries that came since the offer are sent too, as the quote is over them', async () => {
  const scene = testEnvironment()
  const { imaLog } = scene.environment
  const grown = async (entry: number) => ({
    lines: Buffer.concat([(await imaLog(entry))?.lines ?? Buffer.of(), Buffer.from('10 dd e f\n')]),
    entry,
  })
  const [log] = await collectedFor([IMA], {
    ...scene,
    environment: { ...scene.environment, imaLog: grown },
  })
  expect(log?.data).toMatchObject({ entry_count: 3 })
})

test('of a verifier that wants fewer entries than were offered it gets no more', async () => {
  const chosen_parameters = { ...IMA.chosen_parameters, entry_count: 1 }
  const [log] = await collectedFor([{ ...IMA, chosen_parameters }])
  expect(log?.data).toEqual({ entry_count: 1, entries: '10 bb ima-ng sha256:2 /b\n' })
})

test('a file name that is no UTF-8 keeps no evidence back: the lines go in base64', async () => {
  const lines = Buffer.from('10 bb ima-ng sha256:2 /\xff\n10 cc ima-ng sha256:3 /c\n', 'latin1')
  const imaLog = async (entry: number) => ({ lines, entry })
  const [log] = await collectedFor([IMA], testEnvironment({ imaLog }))
  expect(log?.data).toEqual({ entry_count: 2, entries: toBase64(lines) })
})

test('a firmware log that cannot be read is sent whole', async () => {
  const [log] = await collectedFor([UEFI])
  expect(log?.data).toEqual({ entries: 'AQID' })
})

test('of a firmware log the events that are asked for are sent, and its header with the first', async () => {
  const bytes = Buffer.from(recorded('binary_bios_measurements'))
  const scene = () =>
    testEnvironment({ bootLog: async () => bytes, countBootEvents: async () => 9 })
  const part = async (starting_offset: number, entry_count: number) => {
    const chosen_parameters = { ...UEFI.chosen_parameters, starting_offset, entry_count }
    const [log] = await collectedFor([{ ...UEFI, chosen_parameters }], scene())
    return Buffer.from(String(log?.data['entries']), 'base64')
  }
  const { events } = parseBootLog(bytes)
  const [first, second, rest] = [await part(0, 1), await part(1, 1), await part(2, events.length)]
  expect(parseBootLog(first).events).toEqual(events.slice(0, 1))
  expect(parseBootLog(Buffer.concat([first, second])).events).toEqual(events.slice(0, 2))
  expect(Buffer.concat([first, second, rest]).equals(bytes)).toBe(true)
  expect(await part(0, 0)).toHaveLength(0)
})

test('a binary list is offered and sent as such', async () => {
  const lines = recorded('binary_before_tools')
  const imaLog = async (entry: number) => ({ lines, entry, isBinary: true })
  const countIma = async () => ({ entries: 3, isBinary: true })
  const scene = testEnvironment({ imaLog, countIma })
  const chosen_parameters = { format: 'application/octet-stream' }
  const [log] = await collectedFor([{ ...IMA, chosen_parameters }], scene)
  expect(log?.data['entries']).toBe(toBase64(lines))
  const { evidence_supported } = attributesOf(asked(scene, 'capabilities')[0])
  expect(evidence_supported).toMatchObject([
    {},
    { capabilities: { formats: ['application/octet-stream'] } },
    {},
  ])
})

test('a key is chosen by the four members that the document names', async () => {
  const key = { key_class: 'asymmetric', key_algorithm: 'ecc', key_size: 256 }
  const certification_key = { ...key, server_identifier: 'ak' }
  const [quote] = await collectedFor([withQuote({ certification_key })])
  expect(quote?.evidence_type).toBe('tpm_quote')
})

const withQuote = (change: object) => ({
  ...QUOTE,
  chosen_parameters: { ...QUOTE.chosen_parameters, ...change },
})
const withIma = (change: object) => ({
  ...IMA,
  chosen_parameters: { ...IMA.chosen_parameters, ...change },
})

test.each<[string, object]>([
  ['a scheme', withQuote({ signature_scheme: 'rsassa' })],
  ['a hash', withQuote({ hash_algorithm: 'sha1' })],
  ['a PCR', withQuote({ selected_subjects: [0, 9] })],
  ['no PCR', withQuote({ selected_subjects: [] })],
  ['PCRs of another bank', withQuote({ selected_subjects: { sha1: [0] } })],
  ['another key', withQuote({ certification_key: { server_identifier: 'iak' } })],
  ['a key of another class', withQuote({ certification_key: { key_class: 'symmetric' } })],
  ['a key of another algorithm', withQuote({ certification_key: { key_algorithm: 'rsa' } })],
  ['a key of another size', withQuote({ certification_key: { key_size: 384 } })],
  ['a key of other bytes', withQuote({ certification_key: { public: 'AAAA' } })],
  ['no challenge', withQuote({ challenge: '' })],
  ['a challenge that is no base64', withQuote({ challenge: 'not base64!' })],
  ['a challenge that is too long', withQuote({ challenge: toBase64(new Uint8Array(65)) })],
  ['a format', withIma({ format: 'application/octet-stream' })],
  ['an offset of another type', withIma({ starting_offset: '1' })],
  ['a type', { ...QUOTE, evidence_type: 'tee_report' }],
  ['a class', { ...IMA, evidence_class: 'certification' }],
])('%s that was not offered is not answered, and nothing is quoted', async (_, item) => {
  let quotes = 0
  const quote = (request: never) => {
    quotes += 1
    return stubPushAttester.quote(request)
  }
  const scene = testEnvironment({ attester: { ...stubPushAttester, quote } })
  scene.answers('capabilities', reply(201, begun([item])))
  const steps = await run(scene)
  expect(steps.map(({ event }) => event)).toContain('unacceptable')
  expect(asked(scene, 'evidence')).toHaveLength(1)
  expect(quotes).toBe(1)
})

test('an offset past the end of the list, as after a reboot, is not answered', async () => {
  const scene = testEnvironment({ imaLog: async () => ({ lines: Buffer.from(LIST), entry: 0 }) })
  scene.answers('capabilities', reply(201, begun([IMA])), reply(201, begun([QUOTE])))
  expect((await run(scene)).map(({ event }) => event)).toContain('unacceptable')
})
