import { results, scenario } from '../../conformance/scenario.ts'

const BIT_LENGTH = /\d$|_sm2$/

export default scenario({
  id: 'pull-agent.info',
  title: 'A pull agent returns its registered id and its algorithms by the names of the version',
  requirements: [
    'AGT-INFO-UUID-SAME',
    'AGT-INFO-ENC-LENGTH',
    'AGT-INFO-ENC-GENERIC',
    'AGT-ENC-VALUES-24-CLOSED',
  ],
  role: 'pull_agent',
  since: '2.2',
  until: '2.5',
  async run({ pullAgents, version, check, observe }) {
    const agent = await pullAgents.shared()
    const reply = await agent.call('info')
    check('AGT-INFO-UUID-SAME', 'agent_uuid').of(results(reply, 'agent_uuid')).is(agent.id)
    const encryption = String(results(reply, 'tpm_enc_alg'))
    if (version !== '2.5') {
      check('AGT-ENC-VALUES-24-CLOSED', 'tpm_enc_alg before 2.5')
        .of(encryption)
        .isOneOf(['ecc', 'rsa'])
      return
    }
    check('AGT-INFO-ENC-LENGTH', 'tpm_enc_alg')
      .of(encryption)
      .matches('a name with its length in bits', (name) => BIT_LENGTH.test(name))
    const readings = {
      'with a length': (name: string) => BIT_LENGTH.test(name),
      generic: (name: string) => name === 'rsa' || name === 'ecc',
    }
    check('AGT-INFO-ENC-GENERIC', 'tpm_enc_alg').of(encryption).meets(readings)
    observe('ENCGEN', 'tpm_enc_alg in 2.5', encryption)
  },
})
