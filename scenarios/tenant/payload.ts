import { scenario } from '../../conformance/scenario.ts'
import {
  addedBody,
  openBytes,
  requireU,
  tenantKeys,
  tenantOperations,
} from './support/tenant-operations.ts'

/** Every byte, in an order that is no text in UTF-8, and no line break at the end; more than a program reads at once. */
const BYTES = Uint8Array.from({ length: 100_000 }, (_, at) => 255 - (at % 256))

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
    const payload = openBytes(k, operations.ukey['payload']) ?? new Uint8Array()
    check('TEN-SENDS-PAYLOAD', 'bytes of the payload, opened with K')
      .of(payload.length)
      .is(BYTES.length)
    check('TEN-SENDS-PAYLOAD', 'the payload is the one that was given')
      .of(Buffer.from(BYTES).equals(payload))
      .is(true)
  },
})
