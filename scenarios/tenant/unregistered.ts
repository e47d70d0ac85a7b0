import { scenario } from '../../conformance/scenario.ts'
import { tenantOperations } from './support/tenant-operations.ts'

const MEMBERS = { code: 404, status: 'agent id not found', results: {} }

/** What a registrar may say of an agent that cannot be added. */
const REPLIES = {
  unknown: {
    says: 'that the registrar does not know',
    stage: { recordReply: { status: 404, body: MEMBERS } },
  },
  unreadable: {
    says: 'whose record the registrar cannot read',
    stage: { recordReply: { status: 500, body: { ...MEMBERS, code: 500 } } },
  },
  'without-ak': {
    says: 'whose record has no AK',
    stage: {
      mutateRecord: ({ aik_tpm: _, ...record }: Readonly<Record<string, unknown>>) => record,
    },
  },
}

/** Agents of which the registrar has no usable record; none of them is added. */
export default Object.entries(REPLIES).map(([id, { says, stage: options }]) =>
  scenario({
    id: `tenant.unregistered.${id}`,
    title: `A tenant adds no agent ${says}, and sends it no key`,
    requirements: ['TEN-ADDS-REGISTERED'],
    role: 'tenant',
    since: '2.1',
    until: '2.5',
    perMajor: true,
    variantOf: 'tenant.added',
    async run({ tenants, check, observe }) {
      const stage = await tenants.stage(options) // the defect
      const { code } = await stage.run('-c', 'add', '-u', stage.agentId)
      const { added, sentU, countRequests } = tenantOperations(stage)
      check('TEN-ADDS-REGISTERED', 'requests to the registrar')
        .of(countRequests('registrar') > 0)
        .is(true)
      check('TEN-ADDS-REGISTERED', 'agents added at the verifier').of(added.length).is(0)
      check('TEN-ADDS-REGISTERED', 'U keys sent to the agent').of(sentU).is(0)
      observe('TENANTEXIT', 'exit code', code)
    },
  }),
)
