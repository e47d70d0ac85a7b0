import { uptime } from 'node:os'
import { expect, test } from 'vitest'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import { hasBootTimeOfHost } from './boot-time-of-host.ts'

function offering(boot_time: string): readonly PushOperation[] {
  const json = { data: { attributes: { system_info: { boot_time } } } }
  return [{ step: 'capabilities', request: { json } }] as unknown as readonly PushOperation[]
}

test('the boot time of the computer differs from that of a machine', () => {
  const host = Date.now() - uptime() * 1000
  const at = (ms: number) => hasBootTimeOfHost(offering(new Date(host + ms).toISOString()))
  expect(at(0)).toBe(true)
  expect(at(-60_000)).toBe(false)
  expect(at(60_000)).toBe(false)
})
