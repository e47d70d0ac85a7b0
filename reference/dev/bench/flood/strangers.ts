import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { setPriority } from 'node:os'
import { evidenceBody } from './evidence-body.ts'

/**
 * Strangers, in a process of their own: each posts evidence to verify/evidence again and again, as fast as it is answered.
 * Words: port, PEM file of the CA, entries of the list. Messages to it: how many strangers there are from now on; from it:
 * the size of the body once it is made, and the answers so far, by status, once all of them have ended.
 */
const [port, ca = '', entries] = process.argv.slice(2)
const body = evidenceBody(Number(entries))
const agent = new Agent({ ca: readFileSync(ca), keepAlive: true })
const answers: Record<string, number> = {}
const running = new Set<number>()
let wanted = 0

// They stand for other machines, and leave the processors of this one to the verifier.
setPriority(19)

function post(): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const where = { host: '127.0.0.1', port, path: '/v2.5/verify/evidence', method: 'POST' }
    const sent = request({ ...where, agent, headers }, (reply) => {
      reply.resume()
      reply.once('close', () => resolve(String(reply.statusCode)))
    })
    sent.once('error', () => resolve('none'))
    sent.end(body)
  })
}

async function stranger(number: number): Promise<void> {
  running.add(number)
  while (number < wanted) {
    const status = await post()
    answers[status] = (answers[status] ?? 0) + 1
  }
  running.delete(number)
  if (running.size === 0) process.send?.(answers)
}

process.on('message', (order: number) => {
  wanted = order
  for (let number = 0; number < wanted; number++) if (!running.has(number)) void stranger(number)
})
process.on('disconnect', () => process.exit())
process.send?.(body.length)
