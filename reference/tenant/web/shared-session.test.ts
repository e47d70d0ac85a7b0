import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import type { Tenant } from '../tenant.ts'
import { type FaultCode, TenantFault } from '../tenant-fault.ts'
import { sharedSession } from './shared-session.ts'

function sessions() {
  const [opened, closed]: [object[], object[]] = [[], []]
  const shared = sharedSession(() => {
    const tenant = { close: () => void closed.push(tenant) }
    opened.push(tenant)
    return tenant as unknown as Tenant
  })
  const fail = (code: FaultCode) =>
    shared.ask(() => Promise.reject(new TenantFault(code, 'a sentence', 'a step'))).catch(() => 0)
  return { shared, opened, closed, fail }
}

test('requests share a session, also after a server has said no', async () => {
  const { shared, opened, closed, fail } = sessions()
  expect(await shared.ask(async () => 1)).toBe(1)
  await fail('not_found')
  await shared.ask(async () => 1)
  expect({ opened: opened.length, closed }).toEqual({ opened: 1, closed: [] })
})

test('after a server that cannot be reached there is a new session, and the old one ends with its last request', async () => {
  const { shared, opened, closed, fail } = sessions()
  const slow = new EventEmitter()
  const pending = shared.ask(() => once(slow, 'end'))
  await fail('unreachable')
  await shared.ask(async () => 1)
  expect({ opened: opened.length, closed }).toEqual({ opened: 2, closed: [] })
  slow.emit('end')
  await pending
  expect(closed).toEqual([opened[0]])
  shared.close()
  expect(closed).toEqual(opened)
})
