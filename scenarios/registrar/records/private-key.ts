import { isSuccess, NO_SERVER_ERROR, results, scenario } from '../../../conformance/scenario.ts'
import { SOME_SERVER_CERTIFICATE } from '../support/engine.ts'

const LABELS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY']

export default scenario({
  id: 'registrar.records.private-key',
  title: 'The registrar stores no private key that comes with the certificate of an agent',
  requirements: ['REG-MTLS-CERT-ALONE'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.records.contact',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'booted' })
    const stored = async (mtls_cert: string) => {
      const reply = await agent.register({ mtls_cert })
      check('REG-MTLS-CERT-ALONE', 'registering it')
        .of(reply)
        .matches(...NO_SERVER_ERROR)
      if (!isSuccess(reply)) return null
      await agent.activate(await agent.openBlob(reply))
      const seen = await registrar.read(agent.id, verifier.admin)
      await registrar.delete(agent.id, verifier.admin)
      return results(seen, 'mtls_cert')
    }
    for (const label of LABELS) {
      const key = `-----BEGIN ${label}-----\nbm9ib2R5J3Mga2V5\n-----END ${label}-----\n`
      for (const text of [SOME_SERVER_CERTIFICATE + key, key + SOME_SERVER_CERTIFICATE]) {
        const says = text.startsWith(key) ? 'before' : 'behind'
        check('REG-MTLS-CERT-ALONE', `what is stored with an ${label} ${says} the certificate`)
          .of(await stored(text)) // the defect
          .matches('null, or a text without the key', (seen) => {
            return seen === null || (typeof seen === 'string' && !seen.includes(label))
          })
      }
    }
  },
})
