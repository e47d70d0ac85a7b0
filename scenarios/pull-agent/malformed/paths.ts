import { isSuccess, scenario } from '../../../conformance/scenario.ts'
import { freshNonce } from '../support/engine.ts'

/** Paths that the document does not define; `V` stands for the prefix of the version. */
const PATHS = [
  '/',
  '//',
  'V',
  'V/keys',
  'V/keys/',
  'V/keys/nokey',
  'V/keys/pubkeys',
  'V/quotes/both',
  'V/keys/../../etc/passwd',
  'V/keys/..%2f..%2fagent%2finfo',
  'V/keys/%2e%2e/%2e%2e/version/x',
  '/v9.9/keys/pubkey',
  '/v9.9/quotes/identity?nonce=Kq3n8VbT0xWz5LmR2pYd',
  '/v2.55/keys/pubkey',
  '/keys/pubkey',
  'V/keys/pubkey%00',
  'V/agents/',
  'V/notifications',
  '/version/2.5',
]
const METHODS = ['DELETE', 'PATCH', 'PUT', 'TRACE'] as const

export default scenario({
  id: 'pull-agent.malformed.paths',
  title: 'A pull agent rejects unknown paths and methods, and continues to serve',
  requirements: ['AGT-PATH-UNKNOWN', 'AGT-MALFORMED-HARMLESS'],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  variantOf: 'pull-agent.routes.pubkey',
  async run({ pullAgents, random, version, check, observe }) {
    const agent = await pullAgents.shared()
    const ask = async (method: string, path: string) => {
      const reply = await agent.ask(method, path) // the defect
      check('AGT-PATH-UNKNOWN', `${method} ${path}`)
        .of(reply)
        .matches(
          'neither a success nor a server error',
          ({ status = 500 }) => status >= 400 && status < 500,
        )
      observe('UNKNOWNPATH', `${method} ${path}`, reply.status)
    }
    for (const path of PATHS) await ask('GET', path.replace('V', `/v${version}`))
    for (const method of METHODS) await ask(method, `/v${version}/keys/pubkey`)
    await ask('POST', `/v${version}/keys/pubkey`)
    await ask('POST', `/v${version}/quotes/identity?nonce=${freshNonce(random)}`)
    const served = await agent.identity(freshNonce(random))
    check('AGT-MALFORMED-HARMLESS', 'a quote afterwards').of(isSuccess(served)).is(true)
  },
})
