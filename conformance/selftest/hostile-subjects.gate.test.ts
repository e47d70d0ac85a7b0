import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { temporaryDirectory, writeScript } from '../target/testing/test-support.ts'
import { readRecords, readResult, startAssay } from './command.ts'
import { type Listener, resetConnection, scriptedTarget } from './scripted-target.ts'

const MEBIBYTE = 1024 * 1024

/** Most memory that the harness may use, in MiB. */
const MOST_MEMORY = 500

const JSON_TYPE = { 'content-type': 'application/json' }

/** Writes mebibytes until the client goes. */
const endless: Listener = (_body, _request, response) => {
  const piece = Buffer.alloc(MEBIBYTE, ' ')
  const source = Readable.from(
    (function* () {
      for (;;) yield piece
    })(),
  )
  pipeline(source, response.writeHead(200, JSON_TYPE), () => undefined)
}

/** Writes a byte a tenth of a second until the client goes. */
const drip: Listener = (_body, _request, response) => {
  response.writeHead(200, JSON_TYPE).write('{')
  const timer = setInterval(() => response.write(' '), 100)
  response.once('close', () => clearInterval(timer))
}

/** Answers with lists in lists, so deep that a recursive reader exhausts the stack. */
const deep: Listener = (_body, _request, response) => {
  const results = '['.repeat(200_000) + ']'.repeat(200_000)
  response.writeHead(200, JSON_TYPE).end(`{"code":200,"status":"Success","results":${results}}`)
}

let invented = 1e9

/** Words of many reasons in a report. */
const EXPECTED = 'code was expected to be'

/** Answers with a sentence of the report as token, and with thousands of tokens that begin alike. */
const tokens: Listener = (_body, _request, response) => {
  const others = Array.from({ length: 4000 }, () => ({ token: `Invented-${invented++}-token` }))
  const attributes = { token: EXPECTED, evaluation: 'pass', others }
  response.writeHead(200, JSON_TYPE).end(JSON.stringify({ data: { attributes }, results: others }))
}

/** Writes these bytes in place of an answer, and nothing after them. */
function raw(...pieces: readonly (string | Buffer)[]): Listener {
  return (_body, _request, { socket }) => {
    for (const piece of pieces) socket?.write(piece)
  }
}

const MANY_HEADERS = Buffer.from(
  Array.from({ length: 1_000_000 }, (_, at) => `x-${at}: y\r\n`).join(''),
)
const OK_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/** One after the other, for each request another. */
function inTurn(...listeners: readonly Listener[]): Listener {
  let turn = 0
  return (body, request, response) => {
    turn += 1
    listeners[turn % listeners.length]?.(body, request, response)
  }
}

/** Lengths that are not those of the body: too long, too short, none, two, and no numbers. */
const wrongLengths = inTurn(
  ...['9999', '1', '-1', '0', '99999999999999999999', '0x10', '2\r\ncontent-length: 3', ''].map(
    (length) => raw(`${OK_HEAD}content-length: ${length}\r\n\r\n{"code":200}`),
  ),
  raw(`${OK_HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
)

/** Resets the connection: before an answer, within its head, and within its body. */
const reset = inTurn(
  ...['', OK_HEAD, `${OK_HEAD}content-length: 99\r\n\r\n{"code":200,`].map(
    (begun): Listener =>
      (_body, request) =>
        request.socket.write(begun, () => resetConnection(request)),
  ),
)

const CONTROLS = '\u001b]0;owned\u0007\u0000\u009b2J\u202e\r\n\u2028<script>owned'

/** What a verifier or a registrar would answer, with this in place of every text. */
function answerWith(text: string): object {
  const record = {
    ...{ agent_id: text, challenge: text, token: text, evaluation: text, stage: text },
    ...{ attestation_status: text, operational_state: text, aik_tpm: text, ip: text, blob: text },
  }
  const data = { type: text, id: text, attributes: record }
  return { code: 200, status: text, results: { ...record, uuids: [text] }, data, errors: [data] }
}

const controls: Listener = (_body, _request, response) => {
  response.writeHead(200, JSON_TYPE).end(JSON.stringify(answerWith(CONTROLS)))
}

/** A list of a hundred thousand entries wherever an answer may have one. */
const longList: Listener = (_body, { url }, response) => {
  const entries = Array.from({ length: 100_000 }, (_, at) => `entry-${at}`)
  const lists = /sessions/.test(url ?? '') ? { data: entries } : { results: { uuids: entries } }
  response.writeHead(200, JSON_TYPE).end(JSON.stringify({ code: 200, status: 'ok', ...lists }))
}

/** What a run asks for before its first scenario. */
const FIRST = /\/(?:version|allowlists\/?|agents\/?)$/

/** A listener that is honest until the first scenario. */
function withVersions(listener: Listener): Listener {
  return (body, request, response) => {
    if (!FIRST.test(request.url ?? '')) return listener(body, request, response)
    const results = { current_version: '3.0', supported_versions: ['2.5', '3.0'] }
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ code: 200, status: 'ok', results }))
  }
}

/** Characters that a terminal or a page may act on. */
const DANGEROUS = /(?![\n\r\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

function controlsIn(text: string): readonly string[] {
  return [...new Set(text.match(DANGEROUS))]
}

/** A report that opens: a whole page, of a size that a browser shows, with nothing in it that acts. */
function expectPage(page: string): void {
  expect([page.slice(0, 15), page.trimEnd().slice(-7)]).toEqual(['<!doctype html>', '</html>'])
  expect(page.length).toBeLessThan(32 * MEBIBYTE)
  expect(controlsIn(page)).toEqual([])
  expect(page).not.toContain('<script>owned')
}

const LITTLE_TIME = { request_within: '1s', scenario_within: '10s' }

/** A busy machine needs seconds for the bytes after which an answer is given up. */
const TIME_FOR_MANY_BYTES = { request_within: '20s', scenario_within: '60s' }

/** Runs `assay run`, and returns its ending and the most memory that it used, in MiB. */
async function runMeasured(target: string, out: string, ...more: readonly string[]) {
  const running = startAssay(['run', '--target', target, '--out', out, '--seed', '1', ...more])
  let most = 0
  const look = () => {
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8')
      most = Math.max(most, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(look, 100)
  const ending = await running.ended.finally(() => clearInterval(timer))
  return { ...ending, most }
}

test.each([
  ['answers without an end', endless, 'registrar.records.*', 'has more than 32 MiB'],
  [
    'answers one byte after another',
    drip,
    'registrar.records.*',
    'began and did not end within 1 s',
  ],
  ['nests its answers', deep, 'registrar.records.*', 'nests values more than 1000 deep'],
  ['invents tokens', tokens, 'registrar.*', EXPECTED],
  [
    'sends a million headers',
    raw(OK_HEAD, MANY_HEADERS, '\r\n{}'),
    'registrar.records.*',
    'HPE_HEADER_OVERFLOW',
  ],
  ['states wrong lengths', wrongLengths, 'registrar.records.*', 'HPE_'],
  ['resets connections', reset, 'registrar.records.*', 'ECONNRESET'],
  ['puts controls into every text', controls, 'registrar.records.*', 'challenge'],
  [
    'lists a hundred thousand entries',
    longList,
    'registrar.records.*',
    '`blob` of the registration',
  ],
])(
  'a run against a subject that %s ends with a report, exit code 1 and bounded memory',
  async (_, listener, registrarScenarios, words) => {
    const directory = temporaryDirectory()
    const out = join(directory, 'out')
    const target = await scriptedTarget(
      directory,
      ['verifier', 'registrar'],
      withVersions(listener),
      {
        versions: ['2.5', '3.0'],
        time: listener === endless ? TIME_FOR_MANY_BYTES : LITTLE_TIME,
      },
    )
    const only = ['--only', 'session.*', '--only', registrarScenarios]
    const { code, most, stdout, stderr } = await runMeasured(target, out, ...only)
    expect([code, controlsIn(`${stdout}${stderr}`)], stderr).toEqual([1, []])
    expect(most).toBeLessThan(MOST_MEMORY)
    const { scenarios } = readResult(out)
    expectPage(readFileSync(join(out, 'report.html'), 'utf8'))
    expect(scenarios.filter(({ outcome }) => outcome === 'harness-fault')).toEqual([])
    expect(JSON.stringify(scenarios)).toContain(words)
  },
)

/** A server that writes a terminal title and a mebibyte to stderr for each request, and ends after 20 of them. */
const NOISY = [
  "import { readFileSync, writeSync } from 'node:fs'",
  "import { createServer } from 'node:https'",
  'const [, , directory, port] = process.argv',
  "const read = (name) => readFileSync(directory + '/' + name)",
  'let asked = 0',
  "createServer({ cert: read('server.crt'), key: read('server.pem') }, (request, response) => {",
  "  writeSync(2, '\\x1b[2J' + 'a'.repeat(1048576) + '\\n\\x1b]0;owned\\x07\\n')",
  '  if ((asked += 1) > 20) process.exit(3)',
  "  request.resume().on('end', () => response.writeHead(404).end('{}'))",
  "}).listen(Number(port), '127.0.0.1')",
]

test('a run against a subject that floods stderr with controls quotes them spelled out, and its log stays short', async () => {
  const directory = temporaryDirectory()
  const out = join(directory, 'out')
  const script = writeScript(directory, 'noisy.mjs', NOISY)
  const command = [process.execPath, script, directory, `\${port.verifier}`]
  const start = { command, ready: { path: '/version', within: '10s' } }
  const roles = { verifier: { url: `https://127.0.0.1:\${port.verifier}`, start } }
  const target = await scriptedTarget(directory, ['verifier'], tokens, { roles })
  const { code, most, stdout, stderr } = await runMeasured(target, out, '--only', 'authorization.*')
  expect(code).toBe(1)
  expect(most).toBeLessThan(MOST_MEMORY)
  expect(controlsIn(`${stdout}${stderr}`)).toEqual([])
  expect(readResult(out).ended_early?.says).toContain(String.raw`\x1b]0;owned\x07`)
  const [run] = readRecords(out)
  expect(statSync(join(run?.run ?? '', 'logs', 'verifier.err')).size).toBeLessThan(8 * MEBIBYTE)
})
