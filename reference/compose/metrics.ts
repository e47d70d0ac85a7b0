import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Evaluation } from '../evidence/evaluate.ts'

/** Counters of evaluations for monitoring. */
export interface VerifierMetrics {
  /** Counts an evaluation and its seconds. */
  evaluated(evaluation: Evaluation, seconds: number): void
  /** Counts a poll and its seconds; `event` is one of the table of operational states. */
  polled(event: string, seconds: number): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
  /** Serves it without TLS, on this machine only; gives the address. */
  listen(place: { readonly port: number }): Promise<string>
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/**
 * Counters of one verifier. Failures are counted by their dotted type, which is one of a table; nothing that an agent
 * or a file is called is in any label.
 *
 * @param waiting counts the evidence that waits for evaluation; called for each scrape
 */
export function verifierMetrics(waiting: () => Promise<number>): VerifierMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const verdicts = new Counter({
    ...{ name: 'assay_evaluations_total', help: 'Evaluations that came to a verdict', registers },
    labelNames: ['verdict', 'failure_reason'] as const,
  })
  const failures = new Counter({
    ...{ name: 'assay_failures_total', help: 'Findings, by their dotted failure type', registers },
    labelNames: ['type'] as const,
  })
  const durations = new Histogram({
    ...{ name: 'assay_evaluation_seconds', help: 'Time from claim to verdict', registers },
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  })
  const polls = new Counter({
    ...{ name: 'assay_polls_total', help: 'Requests to agents, by outcome', registers },
    labelNames: ['event'] as const,
  })
  const pollTimes = new Histogram({
    ...{ name: 'assay_poll_seconds', help: 'Time from a request to its verdict', registers },
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  })
  new Gauge({
    ...{ name: 'assay_evaluations_waiting', help: 'Evidence without a verdict', registers },
    async collect() {
      this.set(await waiting())
    },
  })
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics'
    if (!isAsked) return void response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return {
    evaluated({ verdict, failureReason = '', findings }, seconds) {
      verdicts.inc({ verdict, failure_reason: failureReason })
      for (const { type } of findings) failures.inc({ type })
      durations.observe(seconds)
    },
    polled(event, seconds) {
      polls.inc({ event })
      pollTimes.observe(seconds)
    },
    text: () => registry.metrics(),
    listen: ({ port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, LOOPBACK, () => {
          const { port: given } = server.address() as AddressInfo
          resolve(`http://${LOOPBACK}:${given}/metrics`)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
