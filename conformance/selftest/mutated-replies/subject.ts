import { appendFileSync } from 'node:fs'
import { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseJson } from '../../../simulator/agents/http/parse-json.ts'
import { seededRandom } from '../../attempt/random.ts'
import { packageRoot } from '../../input/package-root.ts'
import { CHANGED, mutateRequest } from './mutate-request.ts'
import { placeOf } from './place-of.ts'

/**
 * The agents and the tenant of the reference, with some of their requests changed. It takes the words of `assay`;
 * `ASSAY_EVERY` is the share of requests, `ASSAY_SEED` repeats the changes, `ASSAY_KIND` allows one kind alone, and a line
 * about each change is added to the file `ASSAY_CHANGES`.
 */
const { ASSAY_EVERY: every, ASSAY_SEED: seed = '', ASSAY_KIND: only } = process.env
const { ASSAY_CHANGES: log, ASSAY_AGENT_ID: agent = '' } = process.env
const command = process.argv.slice(2).filter((word) => !word.includes('='))
const random = seededRandom(seed, [agent, ...command].join(' '))
const met: unknown[] = []

/** Bytes of a changed request in the log. */
const SHOWN = 4000
const PLACE = 120

/** The parts of a request that Node has not sent yet, as it keeps them itself. */
interface Unsent {
  _header: string | null
  shouldKeepAlive: boolean
}

function change(request: ClientRequest, body: Buffer): void {
  const { method, path } = request
  const given = Object.entries(request.getHeaders()).map(([name, value]) => [name, String(value)])
  const sent = { method, path, headers: Object.fromEntries(given), body }
  const { kind, bytes } = mutateRequest(sent, random, { met, only })
  const at = bytes.indexOf('\r\n')
  const now = parseJson(bytes.subarray(bytes.indexOf('\r\n\r\n')).toString())
  const where = now === undefined ? '' : placeOf(parseJson(body.toString()), now).slice(0, PLACE)
  const mark = `${kind} ${where}`.trim()
  const marked = [bytes.subarray(0, at), `\r\n${CHANGED}: ${mark}`, bytes.subarray(at)]
  const message = at < 0 ? bytes : Buffer.concat(marked.map((part) => Buffer.from(part)))
  Object.assign(request as unknown as Unsent, {
    _header: message.toString('latin1'),
    shouldKeepAlive: false,
  })
  const changed = {
    agent,
    mark,
    method,
    path,
    body: body.toString(),
    bytes: message.subarray(0, SHOWN).toString(),
  }
  if (log !== undefined) appendFileSync(log, `${JSON.stringify(changed)}\n`)
}

type End = (this: ClientRequest, ...given: readonly unknown[]) => ClientRequest

const end = ClientRequest.prototype.end as End
const changing: End = function (...given) {
  const [chunk] = given
  const body = Buffer.from(typeof chunk === 'string' ? chunk : '')
  met.push(...Object.values(Object(parseJson(body.toString()))))
  if (random.below(Number(every)) !== 0) return end.apply(this, [...given])
  change(this, body)
  return end.apply(this)
}
Object.assign(ClientRequest.prototype, { end: changing })

await import(pathToFileURL(join(packageRoot(), 'bin', 'assay.js')).href)
