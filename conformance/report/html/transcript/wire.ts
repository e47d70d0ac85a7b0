import { STATUS_CODES } from 'node:http'
import type { RunResult } from '../../result.ts'
import { curlCommand, shellQuoted } from '../../transcripts/curl-command.ts'
import type {
  TlsFacts,
  WireEntry,
  WireRequest,
  WireResponse,
} from '../../transcripts/transcript-entry.ts'
import { type Html, html, received } from '../escape.ts'
import { bodyOf } from './body.ts'

type Roles = RunResult['target']['roles']

const headersOf = (headers: Readonly<Record<string, string>>): Html => {
  const rows = Object.entries(headers)
  if (rows.length === 0) return html`<p class="empty">no headers</p>`
  return html`<dl class="headers">${rows.map(
    ([name, value]) => html`<div><dt>${received(name)}</dt><dd>${received(value)}</dd></div>`,
  )}</dl>`
}

const certificateWords = ({ client_certificate }: TlsFacts): Html =>
  client_certificate === undefined
    ? html`no client certificate shown`
    : html`client certificate <code>${received(client_certificate)}</code>`

const fingerprintWords = ({ server_certificate_sha256 }: TlsFacts): Html | false =>
  server_certificate_sha256 !== undefined &&
  html`; server certificate sha256 <code class="digest">${received(server_certificate_sha256)}</code>`

const tlsOf = (tls: TlsFacts | undefined): Html => {
  if (tls === undefined) return html`<p class="tls">No TLS facts were recorded.</p>`
  return html`<p class="tls">${received(tls.protocol)}, ${tls.resumed ? 'resumed' : 'full handshake'},
${certificateWords(tls)}${fingerprintWords(tls)}</p>`
}

const ORIGIN = /^(https?:\/\/[^/?#]*)([/?#][\s\S]*)$/

/** An address in two parts, since readers look for the path; shown as text and never as a link. */
const addressOf = (url: string): { readonly origin: string; readonly path: string } => {
  const [, origin = '', path = url] = ORIGIN.exec(url) ?? []
  return { origin, path }
}

/** A longer body is named by a file in the command. */
const LONGEST_BODY = 2_000

const curlOf = (entry: WireEntry, roles: Roles): Html => {
  const { body = '' } = entry.request
  const data = body.length > LONGEST_BODY ? '@body.json' : shellQuoted(body)
  return html`<details class="fold"><summary>as curl</summary>
<pre class="whole" tabindex="0" role="region" aria-label="curl command; a click selects it">${received(curlCommand(entry, roles, data))}</pre></details>`
}

const requestOf = (
  request: WireRequest,
  curl: Html,
): Html => html`<section class="half"><h5>Request to
<code>${received(addressOf(request.url).origin)}</code></h5>
${headersOf(request.headers)}${bodyOf(request.body)}${curl}</section>`

const responseOf = (response: WireResponse | undefined, failure: string | undefined): Html => {
  if (response === undefined) {
    return html`<section class="half"><h5>No response</h5><p class="failure">${received(failure ?? 'no reason was recorded')}</p></section>`
  }
  return html`<section class="half"><h5>Response <span class="status">${statusWords(response.status)}</span></h5>
${failure !== undefined && html`<p class="failure">${received(failure)}</p>`}
${headersOf(response.headers)}${bodyOf(response.body)}</section>`
}

const statusWords = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim()

/** The line of an exchange that stays visible when it is folded. */
export const wireHead = ({ request, response, speaker }: WireEntry): Html => {
  const { path } = addressOf(request.url)
  return html`<span class="summary-text"><b class="method">${received(request.method)}</b> ${received(path)}</span>
<span class="answered">${response === undefined ? 'no response' : statusWords(response.status)}</span>
<span class="peer">by ${received(speaker)}</span>`
}

/** TLS facts, request and response of an exchange. */
export const wireInside = (entry: WireEntry, roles: Roles): Html => html`${tlsOf(entry.tls)}
<div class="halves">${requestOf(entry.request, curlOf(entry, roles))}${responseOf(entry.response, entry.failure)}</div>`
