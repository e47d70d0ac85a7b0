import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { outliveAnswer } from '../../simulator/agents/http/outlive-answer.ts'
import { parseJson } from '../../simulator/agents/http/parse-json.ts'
import { readBody } from '../../simulator/agents/http/read-body.ts'
import { MOST_ANSWER_BYTES } from '../attempt/limits-of-answers.ts'
import { codeOf } from '../input/fault.ts'

/** One request of the preflight checks. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly as: 'anonymous' | 'admin'
  /** Sent as JSON. */
  readonly body?: unknown
}

export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Value of the `Date` header; absent without one. */
      readonly date?: string
      /** Parsed JSON; undefined for anything else. */
      readonly body: unknown
    }
  /** No HTTP answer; the Node or OpenSSL error code. */
  | { readonly kind: 'broken'; readonly code: string }

/** Sends a request once; a repeated question gets the first answer. Never rejects. */
export type Ask = (question: Question) => Promise<Answer>

/** Credentials of the requests. */
interface Credentials {
  /** Path of a PEM file with the CA of the servers. */
  readonly ca: string
  readonly admin: { readonly certificate: string; readonly key: string }
}

interface AskOptions {
  /** Time limit of one request with its whole answer. */
  readonly withinMs: number
  /** Resolves when the next request may go out. */
  readonly pace: () => Promise<void>
}

function agentFor({ ca, admin }: Credentials, as: Question['as']): Agent {
  const shown =
    as === 'admin'
      ? { cert: readFileSync(admin.certificate), key: readFileSync(admin.key) }
      : undefined
  return new Agent({ ca: readFileSync(ca), ...shown, keepAlive: false, maxCachedSessions: 0 })
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  try {
    return parseJson((await readBody(response, MOST_ANSWER_BYTES)).toString('utf8'))
  } catch {
    // No check can use a body that exceeds a limit; its status counts all the same.
    return undefined
  }
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response
  const body = await readJson(response)
  return {
    kind: 'answered',
    status,
    body,
    ...(headers.date === undefined ? {} : { date: headers.date }),
  }
}

function send(question: Question, agent: Agent, withinMs: number): Promise<Answer> {
  const { method, url, body } = question
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    accept: 'application/json, application/vnd.api+json',
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return new Promise((settle) => {
    const broken = (error: unknown) =>
      settle({ kind: 'broken', code: codeOf(error) || String(error) })
    const signal = AbortSignal.timeout(withinMs)
    const asked = request(url, { method, headers, agent, signal })
    asked.once('response', (response) => answerOf(response).then(settle, broken))
    asked.once('error', broken)
    asked.once('socket', outliveAnswer)
    asked.end(payload)
  })
}

/** Makes the function that sends the requests; files are read at the first question. */
export function createAsk(credentials: Credentials, options: AskOptions): Ask {
  const answers = new Map<string, Promise<Answer>>()
  const agents = new Map<Question['as'], Agent>()
  const agentOf = (as: Question['as']) => {
    const agent = agents.get(as) ?? agentFor(credentials, as)
    agents.set(as, agent)
    return agent
  }
  const askNow = async (question: Question) => {
    await options.pace()
    return await send(question, agentOf(question.as), options.withinMs)
  }
  return (question) => {
    const key = JSON.stringify(question)
    const answer = answers.get(key) ?? askNow(question)
    answers.set(key, answer)
    return answer
  }
}

/** An answer for a finding: `answers 403`, `breaks off (ECONNRESET)`. */
export function presentAnswer(answer: Answer): string {
  return answer.kind === 'answered'
    ? `answers ${answer.status}`
    : `breaks off (${answer.code.toLowerCase().replaceAll('_', ' ')})`
}

/** The status of an answer; 0 without one. */
export function statusOf(answer: Answer): number {
  return answer.kind === 'answered' ? answer.status : 0
}

export function isAccepted(answer: Answer): boolean {
  const status = statusOf(answer)
  return status >= 200 && status < 300
}

/** True if the server reports that it has no such route. */
export function isUnknownRoute(answer: Answer): boolean {
  return [404, 405, 410, 501].includes(statusOf(answer))
}
