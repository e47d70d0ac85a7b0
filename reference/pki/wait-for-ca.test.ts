import { test } from 'vitest'
import { waitForCa } from './wait-for-ca.ts'

const NOWHERE = { state_dir: '/nowhere' }

test.each([
  ['names its files', NOWHERE, ['/tls/ca.crt']],
  ['has another directory', { ...NOWHERE, tls_dir: '/tls' }, ['default']],
])('a component that %s waits for no verifier', (_, place, files) => waitForCa(place, files, 600))
