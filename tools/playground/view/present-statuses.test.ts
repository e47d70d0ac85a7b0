import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { presentStatuses, type Shown, statusLineOf, widthOf } from './present-statuses.ts'

const SEEN: Shown = {
  ...{ name: 'm1', kind: 'push', agentId: 'd432fbb3', agent: 'runs', network: 'up' },
  ...{ verdict: 'FAIL', state: 'get_quote', passes: 3, receivedAt: 90 },
  ...{ why: 'policy_violation: ima.validation.ima-sig.not_in_allowlist', done: 'changed /a/b' },
}
const colours = picocolors.createColors(false)
const shown = (width: number, change: Partial<Shown> = {}) =>
  presentStatuses([{ ...SEEN, ...change }], { now: 100_000, width, colours })

test('a machine is a row with its whole status', () => {
  const text = shown(200).join('\n')
  for (const cell of ['m1 push', 'FAIL', '10 s ago', 'not_in_allowlist', 'changed /a/b'])
    expect(text).toContain(cell)
})

test('a narrow terminal shows fewer columns, but always verdict and reason', () => {
  for (const width of [120, 100, 80, 60]) {
    const lines = shown(width)
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
    expect(lines.join('\n')).toMatch(/FAIL.*policy_violation/)
  }
  expect(shown(60).join('\n')).not.toContain('changed')
})

test('a machine without evidence shows never, and control characters from the verifier are escaped', () => {
  const text = shown(200, { receivedAt: undefined, why: '\u001b[2Jgone' }).join('\n')
  expect(text).toContain('never')
  expect(text).toContain('\\x1b[2Jgone')
})

test('a status line contains verdict, state and failure, but no counts', () => {
  expect(statusLineOf(SEEN)).toBe(
    'm1 push  FAIL  get_quote  policy_violation: ima.validation.ima-sig.not_in_allowlist',
  )
  expect(statusLineOf({ ...SEEN, why: '', agent: 'stopped', network: 'cut' })).toBe(
    'm1 push  FAIL  get_quote  agent stopped; network cut',
  )
  expect(statusLineOf({ ...SEEN, passes: 4, receivedAt: 99 })).toBe(statusLineOf(SEEN))
})
