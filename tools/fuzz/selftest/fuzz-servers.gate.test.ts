import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Listener, scriptedTarget } from '../../../conformance/selftest/scripted-target.ts'
import { temporaryDirectory } from '../../../conformance/target/testing/test-support.ts'
import type { Finding, Severity } from '../findings/finding.ts'
import { main } from '../main.ts'

/** How a scripted verifier answers evidence; `honest` is whether it is what it was shown first. */
type Script = (response: ServerResponse, honest: boolean) => void

function say(response: ServerResponse, valid: boolean): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: 200, status: 'Success', results: { valid, failures: [] } }))
}

/** Falls for two requests after the first evidence that is not honest, and for each that is like it later. */
function falling(): Script {
  let fallen = 0
  return (response, honest) => {
    if (fallen > 0) {
      fallen -= 1
      response.destroy()
    } else {
      if (!honest) fallen = 2
      say(response, honest)
    }
  }
}

/** Refuses what is not honest, in other words every time. */
function fickle(): Script {
  let count = 0
  return (response, honest) => {
    count += 1
    if (honest) say(response, true)
    else response.writeHead(400 + (count % 7)).end()
  }
}

/** For a verifier that is waited for in vain; longer than one that is busy with other tests takes. */
const IMPATIENT = { time: { request_within: '2s' } }

const SERVERS: readonly [string, Script, Severity | undefined][] = [
  ['refuses what is not honest', (response, honest) => say(response, honest), undefined],
  ['takes everything', (response) => say(response, true), 'false pass'],
  [
    'answers 500 to what is not honest',
    (response, honest) => (honest ? say(response, true) : void response.writeHead(500).end()),
    'server error',
  ],
  [
    'never answers what is not honest',
    (response, honest) => (honest ? say(response, true) : undefined),
    'hang',
  ],
  ['falls after what is not honest', falling(), 'lost service'],
  ['answers the same in other words', fickle(), 'changed answer'],
]

test.each(SERVERS)('a verifier that %s is judged so', async (_, script, severity) => {
  // Each input that hangs takes a whole time limit.
  const [runs, more] = severity === 'hang' ? ['2', IMPATIENT] : ['5', {}]
  const { code, said, findings } = await fuzz(script, ['--runs', runs], more)
  expect(said).toContain('seed 5')
  expect(code, said).toBe(severity === undefined ? 0 : 1)
  const [worst] = findings
  expect(worst?.severity).toBe(severity)
})

test('a verifier that takes any identity is found out too, by an agent that the fuzzer enrolled', async () => {
  const enrolled = new Set<string>()
  const { code, said, findings } = await fuzzListener(identityServer(enrolled), ['--runs', '20'])
  expect(said).toContain('POST verify/evidence  left out: not served')
  expect([code, findings[0]?.severity, findings[0]?.route], said).toEqual([
    1,
    'false pass',
    'GET verify/identity',
  ])
  expect([...enrolled]).toEqual([])
})

test('a verifier that takes nothing cannot be fuzzed: no refusal would mean anything', async () => {
  const fuzzed = fuzz((response) => say(response, false), [])
  await expect(fuzzed).rejects.toThrow('no way of this deployment takes honest evidence')
})

test('nothing is sent where the target file says so', async () => {
  const { code, said } = await fuzz((response) => response.destroy(), [], {
    safety: { dry_run: true },
  })
  expect([code, said]).toEqual([0, expect.stringContaining('nothing was sent')])
})

/** Accepts every verify/identity of an enrolled agent, and has no verify/evidence. */
function identityServer(enrolled: Set<string>): Listener {
  return (_, { method, url = '' }, response) => {
    const [id = ''] = /[0-9a-f-]{36}/.exec(url) ?? []
    if (method === 'POST' && id !== '') enrolled.add(id)
    if (method === 'DELETE') enrolled.delete(id)
    if (url.startsWith('/v2.5/verify/identity') && enrolled.has(id)) say(response, true)
    else response.writeHead(id !== '' || url === '/version' ? 200 : 404).end('{}')
  }
}

function fuzz(script: Script, words: readonly string[], more: object = {}) {
  return fuzzListener(verifierOf(script), words, more)
}

async function fuzzListener(listener: Listener, words: readonly string[], more: object = {}) {
  const directory = temporaryDirectory()
  const target = await scriptedTarget(directory, ['verifier'], listener, more)
  const out = join(directory, 'out')
  let said = ''
  const write = (text: string | Uint8Array): boolean => {
    said += String(text)
    return true
  }
  const argv = ['fuzz', 'quote', '--target', target, '--seed', '5', '--out', out, ...words]
  const code = await main(argv, { write })
  return { code, said, findings: findingsIn(join(out, 'fuzz')) }
}

function findingsIn(directory: string): readonly Finding[] {
  try {
    const files = readdirSync(directory).toSorted()
    return files.map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')) as Finding)
  } catch {
    return []
  }
}

/** Serves evidence by a script, and remembers what it was shown first. */
function verifierOf(script: Script): Listener {
  let honest: string | undefined
  return (body, { url }, response) => {
    if (url !== '/v2.5/verify/evidence') {
      response.writeHead(url === '/version' ? 200 : 404).end('{}')
      return
    }
    honest ??= body
    script(response, body === honest)
  }
}
