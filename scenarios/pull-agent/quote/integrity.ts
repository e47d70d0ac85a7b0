import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { checkQuote, quoteRequirements } from '../support/check-quote.ts'
import { freshNonce } from '../support/engine.ts'

/** A mask without 0x is hexadecimal too, or refused; a nonce of another form is quoted as a whole, or refused. */
const UNUSUAL = [
  { mask: '400', pcrs: [10], length: 20 },
  { mask: '10', pcrs: [4], length: 20 },
  { mask: '0x200000', pcrs: [21], length: 21 },
  { mask: '0x80', pcrs: [7], length: 64 },
  { mask: '0x20', pcrs: [5], length: 18, edge: ' ' },
]

/** Masks, and the PCRs that they name; with one of them the list is not asked for from its first line. */
const MASKS = [
  { mask: '0x0', pcrs: [] },
  { mask: '0x1', pcrs: [0] },
  { mask: '0x400', pcrs: [10] },
  { mask: '0x408000', pcrs: [15, 22] },
  { mask: '0x10000', pcrs: [16] },
  { mask: '0x7F', pcrs: [0, 1, 2, 3, 4, 5, 6] },
  { mask: '0xffff', pcrs: Array.from({ length: 16 }, (_, pcr) => pcr), entry: 1 },
  { mask: '0xffffff', pcrs: Array.from({ length: 24 }, (_, pcr) => pcr) },
]

export default scenario({
  id: 'pull-agent.quote.integrity',
  title:
    'A pull agent returns an integrity quote by the registered key over the nonce and the PCRs of the mask',
  requirements: [
    ...quoteRequirements('INTEGRITY'),
    'AGT-QUOTE-MANY-PCRS',
    'AGT-INTEGRITY-PUBKEY-PEM',
    'AGT-INTEGRITY-BOOTTIME-SECONDS',
    'AGT-INTEGRITY-PARTIAL-0',
  ],
  role: 'pull_agent',
  provesFunction: true,
  since: '2.1',
  until: '2.5',
  async run(context) {
    const { pullAgents, random, check, observe } = context
    const agent = await pullAgents.shared()
    for (const { mask, pcrs, entry } of MASKS) {
      const nonce = freshNonce(random)
      const reply = await agent.integrity({ nonce, mask, partial: '0', ima_ml_entry: entry })
      const found = await checkQuote(context, agent, reply, 'INTEGRITY', { nonce, pcrs })
      if (pcrs.length > 8)
        check('AGT-QUOTE-MANY-PCRS', `PCRs of ${mask} that fit the quote`).of(found.fits).is(true)
      const pubkey = results(reply, 'pubkey')
      const isThere = check('AGT-INTEGRITY-PARTIAL-0', 'pubkey')
        .of(typeof pubkey)
        .is('string')
      if (isThere)
        check('AGT-INTEGRITY-PUBKEY-PEM', 'pubkey')
          .of(pubkey)
          .matches('a public key in PEM', (text) =>
            String(text).startsWith('-----BEGIN PUBLIC KEY-----'),
          )
      check('AGT-INTEGRITY-BOOTTIME-SECONDS', 'boottime')
        .of(Number(results(reply, 'boottime')))
        .matches('a number of seconds, zero or more', (seconds) => seconds >= 0)
    }
    const unusual = UNUSUAL.map(async ({ length, edge = '', ...asked }) => {
      const nonce = `${edge}${freshNonce(random, length)}${edge}`
      const reply = await agent.integrity({ nonce, mask: asked.mask, partial: '0' })
      return { ...asked, nonce, reply }
    })
    for (const { mask, pcrs, nonce, reply } of await Promise.all(unusual)) {
      observe('BAREMASK', `a mask of ${mask}, a nonce of ${nonce.length} characters`, reply.status)
      if (isSuccess(reply)) await checkQuote(context, agent, reply, 'INTEGRITY', { nonce, pcrs })
    }
  },
})
