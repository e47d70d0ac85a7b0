import { results, scenario } from '../../../conformance/scenario.ts'
import { readDeepQuote, sameBytes } from '../support/deep-quotes.ts'
import { activationNonce, freshNonce, unbase64 } from '../support/engine.ts'

export default scenario({
  id: 'pull-agent.legacy.deep-quotes',
  title:
    'A pull agent with a virtual TPM activates by a deep quote, and answers vmask by deep quotes',
  requirements: ['LEG-AGT-DEEP-QUOTE', 'LEG-AGT-VACTIVATE'],
  role: 'pull_agent',
  needs: ['deep_quotes'],
  seconds: 4,
  since: '2.0',
  until: '2.0',
  async run({ pullAgents, random, check, notApplicable }) {
    const agent = await pullAgents.fresh({ ending: 'withHost', registrarVersions: ['2.0'] })
    const { host, registration } = agent
    const below = host?.provider.registrationOf(agent.id)
    if (host === undefined || below === undefined)
      return notApplicable('the agent did not register its host')
    const guest = { machine: agent.machine, attestationKey: String(registration.body['aik_tpm']) }
    const both = {
      guest,
      host: { machine: host.machine, attestationKey: String(below.body['aik_tpm']) },
    }

    const nonce = freshNonce(random)
    const reply = await agent.integrity({ nonce, mask: '0x80', partial: '1', vmask: '0x8000' })
    const quotes = await readDeepQuote(String(results(reply, 'quote')), nonce, both)
    check('LEG-AGT-DEEP-QUOTE', 'signatures of guest and host').of(quotes.signed).is([true, true])
    check('LEG-AGT-DEEP-QUOTE', 'the nonce in the quote of the guest').of(quotes.nonce).is('text')
    check('LEG-AGT-DEEP-QUOTE', 'whether the quote of the host is over that of the guest')
      .of(quotes.isBound)
      .is(true)
    check('LEG-AGT-DEEP-QUOTE', 'PCRs of guest and host')
      .of(quotes.pcrs)
      .isOneOf([
        [[15, 16], [7]],
        [[15], [7]], // PCR 16 may be quoted only if the mask names it (ambiguity MASK16)
      ])
    check('LEG-AGT-DEEP-QUOTE', 'PCRs with another value').of(quotes.untrue).is([[], []])
    const plain = await agent.integrity({ nonce, mask: '0x80', partial: '1' })
    check('LEG-AGT-DEEP-QUOTE', 'the first letter of a quote without vmask')
      .of(String(results(plain, 'quote')).slice(0, 1))
      .is('r')

    const { text = '', tags = [] } = registration.deepQuote ?? {}
    const activation = await readDeepQuote(text, '', both)
    const keys = ['aik_tpm', 'ek_tpm'].map((name) => unbase64(String(registration.body[name])))
    const [ak = new Uint8Array(), ek = new Uint8Array()] = keys
    check('LEG-AGT-VACTIVATE', 'signatures of guest and host')
      .of(activation.signed)
      .is([true, true])
    check('LEG-AGT-VACTIVATE', 'whether the guest signed its tag and its keys')
      .of(tags.some((tag) => sameBytes(activation.extraData, activationNonce(tag, ak, ek))))
      .is(true)
    check('LEG-AGT-VACTIVATE', 'whether the quote of the host is over that of the guest')
      .of(activation.isBound)
      .is(true)
  },
})
