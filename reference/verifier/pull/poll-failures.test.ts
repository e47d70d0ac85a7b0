import { expect, test } from 'vitest'
import { type Answer, type PullAgent, pullAgent, say } from '../../dev/testing/pull-agent.ts'
import { polling } from '../../dev/testing/verifier/polling.ts'

const V = Buffer.alloc(32, 7).toString('base64')

/** An honest answer with some members changed; undefined takes one away. */
function changing(change: Readonly<Record<string, unknown>>): Answer {
  return (_, response, honest) => {
    const { end } = response
    response.end = ((text: string) => {
      const body = JSON.parse(text)
      return end.call(
        response,
        JSON.stringify({ ...body, results: { ...body.results, ...change } }),
        'utf8',
      )
    }) as typeof end
    honest()
  }
}

const says =
  (status: number, text = ''): Answer =>
  (_, response) =>
    say(response, status, {}, text)

const writes =
  (body: string, type = 'application/json'): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body)

/** Honest until the V key comes. */
const atV =
  (answer: Answer): Answer =>
  (asked, response, honest) =>
    asked.path.endsWith('/vkey') ? answer(asked, response, honest) : honest()

const OLDER: Answer = (asked, response) =>
  asked.path === '/version'
    ? say(response, 200, { supported_version: '0.9' })
    : say(response, 400, {}, 'API version not supported')

const BODY = '{"code":200,"status":"Success","results":{"quote":"rAAAA:AAAA:AAAA"}}'

/** An answer, the state that it leads to without a retry, and the incident that is reported. */
const ANSWERS: readonly (readonly [what: string, answer: Answer, state: number, event: string])[] =
  [
    ['no connection', (_, { socket }) => socket?.destroy(), 7, 'internal.verifier.not_reachable'],
    ['a status of 500', says(500), 7, 'internal.verifier.not_reachable'],
    ['a status of 403', says(403), 7, 'internal.verifier.no_quote'],
    ['a status of 400', says(400), 7, 'internal.verifier.no_quote'],
    ['a status of 404', says(404), 7, 'internal.verifier.no_quote'],
    ['a redirect', says(302), 7, 'internal.verifier.no_quote'],
    ['200 with nothing', writes(''), 7, 'internal.verifier.no_quote'],
    ['200 with a page', writes('<html>', 'text/html'), 7, 'internal.verifier.no_quote'],
    ['a quote that is called a page', writes(BODY, 'text/html'), 7, 'internal.verifier.no_quote'],
    ['a list', writes('[]'), 7, 'internal.verifier.no_quote'],
    ['null', writes('null'), 7, 'internal.verifier.no_quote'],
    ['results that are a text', writes('{"results":"x"}'), 7, 'internal.verifier.no_quote'],
    ['a quote that is a number', changing({ quote: 1 }), 7, 'internal.verifier.no_quote'],
    [
      ...(['a line that is a text', changing({ ima_measurement_list_entry: '0' })] as const),
      ...([7, 'internal.verifier.no_quote'] as const),
    ],
    ['no quote', changing({ quote: undefined }), 9, 'quote_validation.invalid_data'],
    [
      'a quote of two parts',
      changing({ quote: 'rAAAA:AAAA' }),
      9,
      'quote_validation.invalid_quote',
    ],
    ['no pubkey', changing({ pubkey: undefined }), 9, 'quote_validation.no_pubkey'],
    ['another pubkey', changing({ pubkey: 'PEM' }), 9, 'pcr_validation.invalid_pcr_16'],
    ['no hash_alg', changing({ hash_alg: undefined }), 9, 'quote_validation.invalid_hash_alg'],
    ['another hash_alg', changing({ hash_alg: 'md5' }), 9, 'quote_validation.invalid_hash_alg'],
    ['another enc_alg', changing({ enc_alg: 'rsa1024' }), 9, 'quote_validation.invalid_enc_alg'],
    ['another sign_alg', changing({ sign_alg: 'hmac' }), 9, 'quote_validation.invalid_sign_alg'],
    [
      ...(['a list from elsewhere', changing({ ima_measurement_list_entry: 4 })] as const),
      ...([9, 'quote_validation.invalid_ima_entry_nb'] as const),
    ],
    ['no version in common', OLDER, 7, 'internal.verifier.version_not_supported'],
    ['a V key that is refused', atV(says(400)), 7, 'internal.verifier.no_v'],
    ['a V key that waits', atV(says(500)), 7, 'internal.verifier.not_reachable_v'],
  ]

async function failing(answer: Answer): Promise<[PullAgent, Awaited<ReturnType<typeof polling>>]> {
  const [agent, verifier] = [await pullAgent(), await polling(['max_retries=0'])]
  agent.answers(answer)
  await verifier.add(agent, { v: V })
  return [agent, verifier]
}

test.each(ANSWERS)('%s ends in its state, with its event', async (_, answer, state, event) => {
  const [, verifier] = await failing(answer)
  await verifier.settles(state)
  expect(await verifier.record()).toMatchObject({
    ...{ operational_state: state, last_event_id: event, severity_level: 6 },
    attestation_status: 'FAIL',
  })
  expect(verifier.verifier.logged()).toContain(event)
})

test('the answers above, from which each differs in one place, are taken', async () => {
  const [agent, verifier] = await failing(changing({}))
  await verifier.passes(2)
  expect(agent.receivedV()).toBe(V)
})
