import { scenario, toHex } from '../../conformance/scenario.ts'
import {
  addedBody,
  openBytes,
  requireU,
  tenantKeys,
  tenantOperations,
} from './support/tenant-operations.ts'

/** Every byte, in an order that is no text in UTF-8, and no line break at the end. */
const BYTES = Uint8Array.from({ length: 256 }, (_, at) => 255 - at)

export default scenario({
  id: 'tenant.payload',
  title:
    'A tenant sends the bytes of a payload that is no text unchanged, to an agent that registered twice',
  requirements: ['TEN-SENDS-PAYLOAD'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  variantOf: 'tenant.added',
  async run({ tenants, check }) {
    const stage = await tenants.stage({ registrations: 2 })
    const file = stage.file('payload', BYTES)
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId, '-f', file)
    const operations = tenantOperations(stage)
    requireU(operations, code)
    const { k } = tenantKeys(stage, addedBody(operations, code))
    check('TEN-SENDS-PAYLOAD', 'the payload, opened with K, in hexadecimal')
      .of(toHex(openBytes(k, operations.ukey['payload']) ?? new Uint8Array()))
      .is(toHex(BYTES))
  },
})
