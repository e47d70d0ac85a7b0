import { expect, test } from 'vitest'
import { PrerequisiteFailed } from '../../conformance/attempt/endings.ts'
import { Campaign } from './campaign.ts'
import type { CampaignContext } from './campaign-context.ts'
import type { AnswerKind } from './findings/answer.ts'
import type { Finding } from './findings/finding.ts'
import type { Route } from './routes/route.ts'
import { type Script, scriptedRoute } from './test-route.ts'

/** The context of no deployment, whose clock goes on by a second with each look. */
function contextOfNothing(): CampaignContext {
  let ms = 0
  return {
    now: () => {
      ms += 1000
      return ms
    },
    interrupted: new AbortController().signal,
    redact: (text) => text,
    healthProblem: async () => undefined,
  }
}

async function findingsOf(route: Route, runs: number): Promise<readonly Finding[]> {
  const campaign = new Campaign(contextOfNothing(), route, {
    ...{ kind: 'quote', seed: '1', target: 't', limits: { runs, seconds: 10_000 } },
    ...{ onFinding: () => undefined },
  })
  await campaign.run()
  return campaign.findings
}

const only =
  (kind: AnswerKind): Script =>
  (body) =>
    body === '' ? 'passed' : kind

test('the same fault for the same reason is one finding, counted', async () => {
  const findings = await findingsOf(scriptedRoute(['a.x', 'b.x'], only('passed')), 19)
  expect(findings.map(({ severity, times }) => [severity, times])).toEqual([['false pass', 18]])
})

test('server errors of different mutations are findings of their own', async () => {
  const findings = await findingsOf(scriptedRoute(['a.y', 'b.y'], only('server error')), 19)
  expect(findings.map(({ shots }) => shots[0]?.recipe[0]?.mutation).toSorted()).toEqual([
    'a.y',
    'b.y',
  ])
})

test('what is refused is no finding', async () => {
  expect(await findingsOf(scriptedRoute(['a.x', 'b.x'], only('refused')), 30)).toEqual([])
})

test('an honest request that is no longer taken is a lost service, and ends the campaign', async () => {
  let honest = 0
  const route = scriptedRoute(['a.y'], (body) => {
    if (body !== '') return 'failed'
    honest += 1
    return honest < 3 ? 'passed' : 'refused'
  })
  const findings = await findingsOf(route, 100)
  expect(findings.map(({ severity }) => severity)).toEqual(['lost service'])
  expect(findings[0]?.sentence).toContain('it did not come back')
})

test('a way whose first steps are no longer taken is a lost service', async () => {
  const route = scriptedRoute(['a.y'], only('refused'))
  let left = 5
  const prepare: Route['prepare'] = (recipe) => {
    left -= 1
    if (left > 0) return route.prepare(recipe)
    return Promise.reject(new PrerequisiteFailed('no session any more'))
  }
  const [finding, ...more] = await findingsOf({ ...route, prepare }, 100)
  expect(more).toEqual([])
  expect(finding?.severity).toBe('lost service')
  expect(finding?.sentence).toContain('no session any more')
})
