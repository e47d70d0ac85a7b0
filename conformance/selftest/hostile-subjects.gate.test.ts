import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { temporaryDirectory, writeScript } from '../target/testing/test-support.ts'
import { readRecords, readResult, startAssay } from './command.ts'
import { type Listener, scriptedTarget } from './scripted-target.ts'

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

/** A listener that is honest about its versions. */
function withVersions(listener: Listener): Listener {
  return (body, request, response) => {
    if (request.url !== '/version') return listener(body, request, response)
    const results = { current_version: '3.0', supported_versions: ['2.5', '3.0'] }
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ code: 200, status: 'ok', results }))
  }
}

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
])(
  'a run against a subject that %s ends with a report, exit code 1 and bounded memory',
  {
    timeout: 240_000,
  },
  async (_, listener, registrarScenarios, words) => {
    const directory = temporaryDirectory()
    const out = join(directory, 'out')
    const target = await scriptedTarget(
      directory,
      ['verifier', 'registrar'],
      withVersions(listener),
      {
        versions: ['2.5', '3.0'],
        time: { request_within: '1s', scenario_within: '10s' },
      },
    )
    const only = ['--only', 'session.*', '--only', registrarScenarios]
    const { code, most } = await runMeasured(target, out, ...only)
    expect(code).toBe(1)
    expect(most).toBeLessThan(MOST_MEMORY)
    const { scenarios } = readResult(out)
    expect(scenarios.filter(({ outcome }) => outcome === 'harness-fault')).toEqual([])
    expect(JSON.stringify(scenarios)).toContain(words)
  },
)

const ESCAPE = '\x1b'
const BELL = '\x07'

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

test('a run against a subject that floods stderr with controls quotes them spelled out, and its log stays short', {
  timeout: 240_000,
}, async () => {
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
  expect([...`${stdout}${stderr}`].filter((one) => one === ESCAPE || one === BELL)).toEqual([])
  expect(readResult(out).ended_early?.says).toContain(String.raw`\x1b]0;owned\x07`)
  const [run] = readRecords(out)
  expect(statSync(join(run?.run ?? '', 'logs', 'verifier.err')).size).toBeLessThan(8 * MEBIBYTE)
})
