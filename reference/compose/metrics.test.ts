import { expect, onTestFinished, test } from 'vitest'
import { finding } from '../evidence/findings.ts'
import { verifierMetrics } from './metrics.ts'

async function served() {
  const metrics = verifierMetrics(async () => 3)
  onTestFinished(() => metrics.close())
  return { metrics, url: await metrics.listen({ port: 0 }) }
}

test('verdicts and each dotted failure are counted, and what waits is shown', async () => {
  const { metrics, url } = await served()
  const findings = [finding('pcr_validation.invalid_pcr_*', 'secret name', {}, 7)]
  metrics.evaluated({ verdict: 'fail', failureReason: 'policy_violation', findings }, 0.01)
  metrics.evaluated({ verdict: 'pass', findings: [] }, 0.01)
  const text = await (await fetch(url)).text()
  expect(text).toContain('assay_failures_total{type="pcr_validation.invalid_pcr_7"} 1')
  expect(text).toContain('{verdict="fail",failure_reason="policy_violation"} 1')
  expect(text).toContain('{verdict="pass",failure_reason=""} 1')
  expect(text).toContain('assay_evaluations_waiting 3')
  expect(text).toContain('assay_evaluation_seconds_count 2')
  expect(text).not.toContain('secret name')
})

test('polls are counted by outcome', async () => {
  const { metrics, url } = await served()
  metrics.polled('quote_passed', 0.01)
  metrics.polled('quote_passed', 3)
  const text = await (await fetch(url)).text()
  expect(text).toContain('assay_polls_total{event="quote_passed"} 2')
  expect(text).toContain('assay_poll_seconds_bucket{le="0.02"} 1')
})

test('metrics are read on this machine, at one path and in one way', async () => {
  const { url } = await served()
  expect(url).toMatch(/^http:\/\/127[.]0[.]0[.]1:/)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
})
