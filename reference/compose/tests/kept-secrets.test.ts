import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import {
  AGENT,
  agentRequest,
  proofFor,
  proofRequest,
  type SessionDocument,
  sessionRequest,
} from '../../dev/testing/verifier/push-requests.ts'
import { createLog } from '../../platform/log.ts'
import { composeVerifier } from '../compose-verifier.ts'
import { SHIPPED_PARTS } from '../parts.ts'

type Method = 'GET' | 'POST' | 'PATCH'

/** A verifier with its database in a file, whose log is captured. A client without a header is an administrator. */
async function verifierInFile() {
  const state_dir = temporaryDirectory()
  const config = loadConfig('verifier', undefined, [`state_dir=${state_dir}`, 'port=0'])
  const lines: string[] = []
  const log = createLog('trace', { write: (line: string) => void lines.push(line) })
  const parts = { ...SHIPPED_PARTS, administratorOf: () => 'client' }
  const verifier = await composeVerifier(config, parts, log)
  onTestFinished(() => verifier.close())
  const ask = async (method: Method, url: string, payload?: object, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const request = { method, url, headers, ...(payload === undefined ? {} : { payload }) }
    const { statusCode, body } = await verifier.server.inject(request)
    return { statusCode, body: JSON.parse(body) as { readonly data: SessionDocument } }
  }
  return { ask, state_dir, logged: () => lines.join('') }
}

/** The contents of all files below a directory, by file name. */
function filesIn(directory: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(directory, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(directory, name))]))
}

/** Encodings in which a secret could leak: plain, in hexadecimal, in base64, and decoded. */
function formsOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text)
  return [
    bytes,
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('base64').replace(/=+$/, '')),
    Buffer.from(text, 'base64url'),
  ]
}

test('neither the files nor the log of a verifier have a token or its secret', async () => {
  const { ask, state_dir, logged } = await verifierInFile()
  await ask('POST', `/v2.5/agents/${AGENT}`, agentRequest() as object)
  const opened = (await ask('POST', '/v3/sessions', sessionRequest())).body.data
  const proof = proofRequest(AGENT, proofFor(opened))
  const { attributes } = (await ask('PATCH', `/v3/sessions/${opened.id}`, proof)).body.data
  const token = attributes.token ?? ''
  const secret = token.split('.')[1] ?? ''
  expect(secret).toHaveLength(43)
  expect((await ask('GET', `/v2.5/agents/${AGENT}`, undefined, token)).statusCode).toBe(200)
  expect((await ask('GET', `/v2.5/agents/${AGENT}`, undefined, `${token}A`)).statusCode).toBe(401)

  const files = filesIn(state_dir)
  expect([...files.keys()].some((name) => name.startsWith('verifier.sqlite'))).toBe(true)
  const hoard = Buffer.concat([...files.values(), Buffer.from(logged())])
  expect(hoard.includes(opened.id)).toBe(true)
  expect(formsOf(token).filter((form) => hoard.includes(form))).toEqual([])
  expect(formsOf(secret).filter((form) => hoard.includes(form))).toEqual([])
  expect(logged()).toContain(`/v3/sessions/${opened.id}`)
})
