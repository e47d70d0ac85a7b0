import { jsonIn, listOf, scenario } from '../../conformance/scenario.ts'
import { namesOfKey, OTHER_HOST, wrongMembers } from './support/engine.ts'
import { addedBody, tenantOperations } from './support/tenant-operations.ts'

const DIGESTS = { 22: ['00'.repeat(32)] }

/** Algorithms of the quotes of the agent that is added. */
const ALGORITHMS = { accept_tpm_hash_algs: ['sha256'], accept_tpm_signing_algs: ['rsassa'] }

/** Members whose text is an object in JSON. */
const OBJECTS = ['tpm_policy', 'metadata']

function isObjectInJson(text: unknown): boolean {
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export default scenario({
  id: 'tenant.members',
  title: 'The members that a tenant sends when it adds an agent are those of the document',
  requirements: ['TEN-ADDS-MEMBERS'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  async run({ tenants, machines, version, check }) {
    const stage = await tenants.stage({ agentVersions: [version], agentHost: OTHER_HOST })
    const policy = ['--runtime-policy', stage.file('policy.json', machines.policyOfBoot())]
    const digests = ['--tpm_policy', JSON.stringify(DIGESTS)]
    const payload = ['-f', stage.file('payload', 'of the harness\n')]
    const { code } = await stage.run(
      '-c',
      'add',
      '-u',
      stage.agentId,
      ...policy,
      ...digests,
      ...payload,
    )
    const body = addedBody(tenantOperations(stage), code)
    const { request } = stage.requests.find(({ peer }) => peer === 'agent') ?? {}
    check('TEN-ADDS-MEMBERS', 'address of the agent')
      .of(`${body['cloudagent_ip'] ?? body['ip']}:${body['cloudagent_port'] ?? body['port']}`)
      .is(String(request?.headers['host']))
    const ofAgent = { ...ALGORITHMS, accept_tpm_encryption_algs: namesOfKey(stage.aikTpm) }
    for (const [name, own] of Object.entries(ofAgent))
      check('TEN-ADDS-MEMBERS', name)
        .of(listOf(body[name]) ?? [])
        .matches(`none, or ${own.join(' or ')} among them`, (accepted) => {
          return accepted.length === 0 || accepted.some((one) => own.includes(String(one)))
        })
    // A body may be any JSON, such as a text.
    const sent = OBJECTS.filter((name) => Object.hasOwn(Object(body), name))
    const texts = sent.filter((name) => !isObjectInJson(body[name]))
    check('TEN-ADDS-MEMBERS', 'members that differ')
      .of([
        ...wrongMembers('add-agent', version, body),
        ...texts.map((name) => `/${name} is no object in JSON`),
      ])
      .is([])
  },
})
