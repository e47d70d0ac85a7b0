import { ANONYMOUS, scenario } from '../../../conformance/scenario.ts'
import { tokenOf, withAuthorization } from '../support/engine.ts'

const SPELLINGS: Readonly<Record<string, (token: string) => string>> = {
  bearer: (token) => `bearer ${token}`,
  BEARER: (token) => `BEARER ${token}`,
  'Bearer and two blanks': (token) => `Bearer  ${token}`,
  'no scheme': (token) => token,
  Token: (token) => `Token ${token}`,
  'Basic, with the token as the password': (token) =>
    `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
}

export default scenario({
  id: 'session.bearer-spelled-otherwise',
  title: 'The verifier accepts a token after the word Bearer, and answers other spellings',
  requirements: ['SES-TOKEN-SCHEME'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const token = tokenOf(await agent.proveSession(await agent.openSession()))
    const statusOf = async (value: string) =>
      (await agent.offer(withAuthorization(ANONYMOUS, value))).status
    const [bearer, bare] = [await statusOf(`Bearer ${token}`), await statusOf(token)]
    check('SES-TOKEN-SCHEME', 'statuses of the token with Bearer, and without a scheme')
      .of([bearer, bare])
      .meets({ Bearer: () => bearer === 201, bare: () => bare === 201 })
    for (const [name, spell] of Object.entries(SPELLINGS))
      observe('BEARER', `HTTP status of ${name}`, await statusOf(spell(token)))
  },
})
