import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Misbehaviour } from './misbehaviour.ts'

/** Bytes of an oversized body, and of oversized headers; the connection ends after that. */
const HUGE_BODY = 64 * 1024 * 1024
const HUGE_HEADERS = 4 * 1024 * 1024
const PIECE = 64 * 1024
/** Milliseconds between two bytes of a slow answer. */
const DRIP_MS = 200

const LATE_MS = 5000

const JSON_TYPE = { 'content-type': 'application/json' }

function status(code: number, text: string): Misbehaviour {
  const body = JSON.stringify({ code, status: text, results: {} })
  return {
    what: `it answers HTTP ${code}`,
    answers: (response) => void response.writeHead(code, JSON_TYPE).end(body),
  }
}

function body(what: string, type: string, text: string): Misbehaviour {
  return {
    what,
    answers: (response) => void response.writeHead(200, { 'content-type': type }).end(text),
  }
}

/** Writes pieces until `most` bytes are written or the peer has closed. */
async function pour(response: ServerResponse, piece: string, most: number): Promise<void> {
  const { socket } = response
  for (let sent = 0; sent < most && socket?.writable; sent += piece.length) {
    if (!socket.write(piece)) await drained(socket)
  }
  socket?.destroy()
}

/** Resolves when more can be written; stays pending if the socket closes. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      socket.off('drain', goOn).off('close', goOn)
      resolve()
    }
    socket.once('drain', goOn).once('close', goOn)
  })
}

async function drip(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) })
  let at = 0
  const timer = setInterval(() => {
    if (at >= text.length) response.end()
    else response.write(text[at++])
  }, DRIP_MS)
  response.once('close', () => clearInterval(timer))
}

/** Answers over TLS that are invalid HTTP or no HTTP at all. */
export const ANSWER_MISBEHAVIOURS = {
  'status-400': status(400, 'Bad Request'),
  'status-404': status(404, 'Not Found'),
  'status-500': status(500, 'Internal Server Error'),
  'status-503': status(503, 'Service Unavailable'),
  redirect: {
    what: 'it redirects the verifier to another path of its own, which has a valid answer',
    answers: (response) => {
      response.writeHead(302, { location: `${response.req.url}&redirected=1` }).end()
    },
  },
  html: body('it answers with an HTML page', 'text/html', '<html><body>It works!</body></html>'),
  empty: body('it answers 200 with an empty body', 'application/json', ''),
  'json-null': body('it answers with the JSON null', 'application/json', 'null'),
  'no-results': body(
    'it answers an envelope without results',
    'application/json',
    JSON.stringify({ code: 200, status: 'Success' }),
  ),
  'reset-mid-body': {
    what: 'it resets the connection in the middle of its answer',
    answers: async (response, honest) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(honest) })
      response.write(honest.slice(0, honest.length / 2), () => response.socket?.destroy())
    },
  },
  'cut-json': {
    what: 'its answer ends in the middle of the JSON',
    answers: (response, honest) =>
      void response.writeHead(200, JSON_TYPE).end(honest.slice(0, honest.length / 2)),
  },
  'late-answer': {
    what: 'nothing wrong: its answer comes when its script is replaced, or five seconds late',
    answers: async (response, honest, replaced) => {
      await pause(LATE_MS, undefined, { signal: replaced }).catch(() => undefined)
      response.writeHead(200, JSON_TYPE).end(honest)
    },
  },
  'charset-named': {
    what: 'nothing wrong: its answer names UTF-8 as the charset of the JSON',
    answers: (response, honest) =>
      void response
        .writeHead(200, { 'content-type': 'application/json; charset=UTF-8' })
        .end(honest),
  },
  'v-key-refused': {
    what: 'it answers HTTP 503 to its V key, and gives good quotes',
    refusesV: true,
  },
  'slow-drip': { what: 'it answers one byte at a time, for minutes', answers: drip },
  'no-answer': { what: 'it accepts the request and never answers', answers: () => undefined },
  'huge-body': {
    what: 'its answer has a body of 64 MiB',
    answers: (response) => {
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${HUGE_BODY}\r\n\r\n{"code":200,"status":"`
      response.socket?.write(head)
      return pour(response, 'x'.repeat(PIECE), HUGE_BODY)
    },
  },
  'endless-headers': {
    what: 'its headers do not end',
    answers: (response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n')
      return pour(response, `x-more: ${'y'.repeat(1000)}\r\n`, HUGE_HEADERS)
    },
  },
  'duplicate-members': {
    what: 'its results contain the quote twice: an altered one first, the valid one last',
    answers: (response, honest) => {
      const altered = /"quote":"r[^"]*"/.exec(honest)?.[0].replace('"quote":"r', '"quote":"rAAAA')
      const text = honest.replace('"results":{', `"results":{${altered},`)
      response.writeHead(200, JSON_TYPE).end(text)
    },
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>
