import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Gauge, type OpenMetricsContentType, Registry } from 'prom-client'
import { codeOf, SetupFault } from '../../conformance/input/fault.ts'
import { OUTCOME_ROWS } from '../../conformance/report/outcomes.ts'
import { OUTCOMES } from '../../conformance/report/result.ts'
import type { History } from './history.ts'

const LOOPBACK = '127.0.0.1'

/** The metrics of a watch for a monitoring system. */
export interface Metrics {
  readonly url: string
  close(): Promise<void>
}

/** Serves the last round in the format of OpenMetrics 1.0, without TLS, on this machine only. */
export async function serveMetrics(history: History, port: number): Promise<Metrics> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metricsOf(history).then(
      (text) =>
        void response
          .writeHead(200, { 'content-type': Registry.OPENMETRICS_CONTENT_TYPE })
          .end(text),
      () => void response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, LOOPBACK, resolve)
  }).catch((cause: unknown) => {
    throw new SetupFault(`--metrics ${port} cannot be served (${codeOf(cause)})`, {
      next: 'give another port, or 0 for any free one',
      cause,
    })
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${LOOPBACK}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The metrics as text. Scenarios have a line of their own while they fail. */
export async function metricsOf(history: History): Promise<string> {
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  const registers = [registry]
  const rounds = history.rounds()
  const last = rounds.at(-1)
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `assay_watch_${name}`, help, labelNames: [...labelNames], registers })
  const byVerdict = gauge('rounds', 'Rounds so far, by verdict', ['verdict'])
  for (const { verdict } of rounds) byVerdict.inc({ verdict })
  if (last !== undefined) {
    gauge('conforms', '1 if the last round conforms').set(last.verdict === 'conforms' ? 1 : 0)
    gauge('round_start_seconds', 'Start of the last round, since 1970').set(
      Date.parse(last.started) / 1000,
    )
    gauge('round_duration_seconds', 'Duration of the last round').set(last.seconds)
  }
  const outcomes = history.latest()
  const byOutcome = gauge('scenarios', 'Scenarios of the last round, by outcome', ['outcome'])
  for (const outcome of OUTCOMES)
    byOutcome.set({ outcome }, outcomes.filter((one) => one.outcome === outcome).length)
  const failed = gauge('failed', 'Scenarios that failed in the last round', ['scenario', 'version'])
  for (const { scenario, version, outcome } of outcomes)
    if (OUTCOME_ROWS[outcome].tally === 'failed') failed.set({ scenario, version }, 1)
  return registry.metrics()
}
