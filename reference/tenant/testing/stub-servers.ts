import { syncBuiltinESMExports } from 'node:module'
import nock from 'nock'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { stateDirectory, type TestTenant, tenantWith } from './run-tenant.ts'

export const VERIFIER = 'https://127.0.0.1:8881'
export const REGISTRAR = 'https://127.0.0.1:8891'
export const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** The body of an answer that lists API 2.4 and 2.5. */
export const VERSIONS = {
  code: 200,
  status: 'Success',
  results: { supported_versions: ['2.4', '2.5'] },
}

/** Stubs the servers of this test file with nock, and fails on unused mocks. */
export function stubServers(): void {
  // Other test files share this process: what they have imported already has to ask nock from here on, and for real again.
  beforeAll(() => {
    if (!nock.isActive()) nock.activate()
    syncBuiltinESMExports()
  })
  afterAll(() => {
    nock.restore()
    syncBuiltinESMExports()
  })
  afterEach(() => {
    const left = nock.pendingMocks()
    nock.cleanAll()
    expect(left, 'unused mocks').toEqual([])
  })
}

/** A tenant whose servers are played. */
export async function tenant(...settings: string[]): Promise<TestTenant> {
  return tenantWith([`state_dir=${await stateDirectory()}`, ...settings])
}
