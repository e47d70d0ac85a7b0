import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Command } from 'commander'
import { USUAL_FORMS } from '../../../simulator/agents/key-forms.ts'
import { nodeKeyOf } from '../../../simulator/agents/node-key.ts'
import { makeCheck, REFUSED, showMember } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { freshSeed, type SeededRandom, seededRandom } from '../../attempt/random.ts'
import { attributes, isSuccess, listOf, type Reply, results } from '../../attempt/reply.ts'
import { loadRequirements } from '../../catalogue/load-requirements.ts'
import { REPLIES, type ReplyName, readingsOf } from '../../catalogue/requirement.ts'
import { readBlob } from '../../client/agents/credential-blob.ts'
import { readNegotiation } from '../../client/agents/evidence.ts'
import { readSession } from '../../client/agents/session-proof.ts'
import { NO_CHALLENGE, NO_TOKEN, tokenOf } from '../../client/agents/session-replies.ts'
import { HttpsClient } from '../../client/https-client.ts'
import { ANONYMOUS } from '../../client/identity.ts'
import { publicKeyIn } from '../../client/key-forms.ts'
import { SecureContexts } from '../../client/tls/secure-contexts.ts'
import { Transcript } from '../../client/transcript.ts'
import { packageRoot } from '../../input/package-root.ts'
import { namesOfKey } from '../../oracle/key-names.ts'
import { readQuote } from '../../oracle/read-quote.ts'
import { checkAttestationKey } from '../../oracle/registered-keys.ts'
import { vkeyBody } from '../../peers/agent-operations.ts'
import { makeBootstrapKeys } from '../../peers/bootstrap-keys.ts'
import type { TranscriptEntry } from '../../report/transcripts/transcript-entry.ts'
import { checkFields } from '../../schemas/check-fields.ts'
import { chooseDialect } from '../../target/choose-dialect.ts'
import { mutateReply } from './mutate-reply.ts'
import { oneOf } from './mutate-value.ts'
import { type RawServer, startRawServer } from './raw-server.ts'

const AT_ONCE = 8
const VERSIONS = ['2.1', '2.4', '2.5', '3.0']

const rows = loadRequirements()
const dialect = chooseDialect({ base: 'document', values: {}, placeOf: () => 'document' })
const checkedRows = new Map(
  rows.map((row) => [row.id, { strength: row.strength, readings: readingsOf(row) }]),
)
const sink = { lastExchange: () => 0, add: () => undefined }
const check = makeCheck([...checkedRows.keys()], sink, (id) => checkedRows.get(id))

/** What the harness reads from an answer; each may end a scenario, and none may fail otherwise. */
const READERS: Readonly<Record<string, (reply: Reply) => unknown>> = {
  blob: (reply) => readBlob(reply, dialect),
  negotiation: (reply) => readNegotiation(reply, dialect),
  session: (reply) => readSession(reply, dialect),
  token: (reply) => tokenOf(reply),
  'no token': (reply) => NO_TOKEN[1](reply),
  'no challenge': (reply) => NO_CHALLENGE[1](reply),
  refused: (reply) => REFUSED[1](reply),
  member: (reply) => showMember(results(reply, 'blob'), reply),
  list: (reply) => [isSuccess(reply), listOf(attributes(reply, 'evidence'))],
  quote: (reply) => readQuote(String(results(reply, 'quote'))),
  'attestation key': (reply) =>
    checkAttestationKey(check, 'AGT-REG-AIK', results(reply, 'aik_tpm')),
  'key for halves': (reply) => vkeyBody(publicKeyIn(reply), KEYS),
  'names of keys': (reply) => namesOfKey(String(results(reply, 'aik_tpm'))),
}

const KEYS = makeBootstrapKeys({ keyForms: USUAL_FORMS })

function checkShape(reply: Reply, name: ReplyName, version: string): void {
  const { body, status } = reply
  checkFields(check, { rows, reply: name, version, body, status, conditions: [] })
}

/** Answers of recorded transcripts, which a report has. */
function loadAnswers(file: string): readonly Reply[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
  return lines.flatMap((line) => {
    const { transcript }: { transcript: readonly TranscriptEntry[] } = JSON.parse(line)
    return transcript.flatMap((entry) => {
      const { response } = entry.lane === 'wire' ? entry : {}
      if (response?.body === undefined) return []
      const { status, headers, body } = response
      return [answerOf(status, headers, body)]
    })
  })
}

function answerOf(status: number, headers: Reply['headers'], text: string): Reply {
  const silence = { exchange: 0, failure: undefined, endedInTls: false, resumed: false }
  return { ...silence, status, headers, text, body: parsed(text) }
}

/** An answer with every member that the readers look for. */
function madeAnswer(): Reply {
  const pubkey = nodeKeyOf('of an answer that is changed').publicPem
  const body = {
    ...{ code: 200, status: 'Success' },
    results: { pubkey, blob: 'AAAA', aik_tpm: 'AAAA', quote: 'rAAAA:AAAA:AAAA' },
    data: {
      ...{ type: 'session', id: '0' },
      attributes: {
        ...{ token: 'a.b', evaluation: 'pass' },
        authentication_requested: [{ chosen_parameters: { challenge: 'AAAA' } }],
        evidence_requested: [
          { evidence_type: 'tpm_quote', chosen_parameters: { challenge: 'AAAA' } },
        ],
      },
    },
  }
  return answerOf(200, { 'content-type': 'application/json' }, JSON.stringify(body))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function newClient(): HttpsClient {
  return new HttpsClient({
    ...{ contexts: new SecureContexts(''), requestMs: 10_000 },
    transcript: new Transcript(() => performance.now()),
    signal: () => new AbortController().signal,
    pace: async () => undefined,
  })
}

interface Fuzzed {
  readonly random: SeededRandom
  readonly server: RawServer
  readonly answers: readonly Reply[]
}

/** Sends a changed answer to a client, and returns the faults of all that reads it. */
async function readOne({ random, server, answers }: Fuzzed): Promise<readonly string[]> {
  const [answer, other] = [oneOf(random, answers), oneOf(random, answers)]
  const changed = mutateReply(answer, random, { met: [other.body, other.text] })
  const client = newClient()
  try {
    const url = server.offer(changed)
    const reply = await client.exchange({ method: 'GET', url, credentials: ANONYMOUS })
    const names = [oneOf(random, REPLIES)]
    const shapes = names.map((name) => [
      name,
      () => checkShape(reply, name, oneOf(random, VERSIONS)),
    ]) as readonly (readonly [string, () => void])[]
    const readers = Object.entries(READERS).map(
      ([name, read]) => [name, () => read(reply)] as const,
    )
    return [...readers, ...shapes].flatMap(([name, read]) => faultOf(name, changed.kind, read))
  } catch (error) {
    return faultOf('client', changed.kind, () => {
      throw error
    })
  } finally {
    client.close()
  }
}

function faultOf(name: string, kind: string, read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    return error instanceof PrerequisiteFailed ? [] : [`${name} of ${kind}: ${String(error)}`]
  }
}

interface Options {
  readonly seed: string
  readonly inputs: string
  readonly transcripts: string
}

async function main({ seed, inputs, transcripts }: Options): Promise<number> {
  const recorded = loadAnswers(transcripts)
  const made = madeAnswer()
  const answers = recorded.flatMap((answer) => [answer, made])
  const server = await startRawServer()
  const random = seededRandom(seed, 'answers for the client')
  const faults = new Map<string, number>()
  const next = Array.from({ length: Number(inputs) }).keys()
  const work = async () => {
    for (const _ of next)
      for (const fault of await readOne({ random, server, answers }))
        faults.set(fault, (faults.get(fault) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  server.close()
  for (const [fault, count] of faults) console.log(`${count} × ${fault}`)
  console.log(
    `${inputs} answers, changed from ${recorded.length} recorded ones and one more; seed ${seed}`,
  )
  console.log(`${faults.size} faults of the harness`)
  return faults.size === 0 ? 0 : 1
}

const program = new Command('client')
  .description("sends changed answers to the harness's own client, and reads them")
  .option('--seed <hex>', 'repeats the changes', freshSeed())
  .option('--inputs <n>', 'answers to send', '20000')
  .option(
    '--transcripts <file>',
    'transcripts.jsonl.gz of a run with --transcripts all',
    join(packageRoot(), 'reports', 'example', 'transcripts.jsonl.gz'),
  )
process.exit(await main(program.parse().opts<Options>()))
