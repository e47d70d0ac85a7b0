import { INFO_REPLY } from '../../../agent/pull/info-reply.ts'
import { QUOTE_REPLY, type QuoteSource } from '../../../agent/pull/quote-reply.ts'
import { REGISTRATION_REQUEST } from '../../../agent/registration/registration-request.ts'
import { AGENT_ROUTES } from '../../../api/routes/agent.ts'
import { AGENT_PARTS } from '../../../compose/compose-agent.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { KEY_MUTANTS } from './agent-key-mutants.ts'
import { QUOTE_MUTANTS } from './agent-quote-mutants.ts'
import { ranged, remembered, standingOn, withMember, withRules } from './mutate-agent.ts'

const quoteWith = (name: string, of: (source: QuoteSource, was: unknown) => unknown) =>
  withRules({ quoteReply: withMember(QUOTE_REPLY, name, of) })

/** Agents whose replies hold something else. */
const REPLIES: readonly Mutant[] = [
  {
    id: 'agent.quote-without-its-letter',
    defect: 'a quote does not begin with r',
    parts: quoteWith('quote', (_, was) => String(was).slice(1)),
  },
  {
    id: 'agent.quote-of-two-parts',
    defect: 'a quote lacks the PCR values',
    parts: quoteWith('quote', (_, was) => String(was).split(':').slice(0, 2).join(':')),
  },
  {
    id: 'agent.hash-alg-of-another-bank',
    defect: 'hash_alg is always sha1',
    parts: quoteWith('hash_alg', () => 'sha1'),
  },
  {
    id: 'agent.sign-alg-unknown',
    defect: 'sign_alg is a name that the document does not have',
    parts: quoteWith('sign_alg', () => 'RSA-SSA'),
  },
  {
    id: 'agent.enc-alg-explicit-in-2.4',
    defect: 'enc_alg of 2.4 has its length in bits',
    parts: withRules({ quoteReply: ranged(QUOTE_REPLY, 'enc_alg', '2.3') }),
  },
  {
    id: 'agent.boottime-in-milliseconds',
    defect: 'boottime is counted in fractions of a second',
    parts: quoteWith('boottime', (_, was) => Number(was) + 0.5),
  },
  {
    id: 'agent.pubkey-never',
    defect: 'a quote comes without the public key',
    parts: quoteWith('pubkey', () => undefined),
  },
  {
    id: 'agent.boot-log-in-hexadecimal',
    defect: 'the firmware log is in hexadecimal',
    parts: quoteWith('mb_measurement_list', (_, was) =>
      was === undefined ? was : Buffer.from(String(was), 'base64').toString('hex'),
    ),
  },
  {
    id: 'agent.list-always',
    defect: 'the measurement list comes with every integrity quote',
    parts: withRules({ sendsMeasurementList: () => true }),
  },
  {
    id: 'agent.list-never',
    defect: 'the measurement list comes with no quote',
    parts: withRules({ sendsMeasurementList: () => false }),
  },
  {
    id: 'agent.boot-log-always',
    defect: 'the firmware log comes with every integrity quote',
    parts: withRules({ sendsBootLog: () => true }),
  },
  {
    id: 'agent.list-whole',
    defect: 'the measurement list is sent from its beginning, not from the requested line',
    parts: standingOn(({ imaLog }) => ({ imaLog: () => imaLog(0) })),
  },
  {
    id: 'agent.list-frozen',
    defect: 'the measurement list is read once for each line that is asked for',
    parts: standingOn(({ imaLog }) => {
      const kept = remembered(imaLog)
      return {
        imaLog: (entry) => kept(Math.min(entry, 1)).then((part) => part && { ...part, entry }),
      }
    }),
  },
  {
    id: 'agent.list-of-no-log',
    defect: 'on a machine without a measurement list a line is sent in its place',
    parts: standingOn(({ imaLog }) => ({
      imaLog: async (entry) =>
        (await imaLog(entry)) ?? { lines: new TextEncoder().encode('none\n'), entry: 0 },
    })),
  },
  {
    id: 'agent.list-line-counted-from-one',
    defect: 'the line at which the list starts is reported one too high',
    parts: standingOn(({ imaLog }) => ({
      imaLog: async (entry) => {
        const part = await imaLog(entry)
        return part && { ...part, entry: part.entry + 1 }
      },
    })),
  },
  {
    id: 'agent.info-of-another',
    defect: 'agent/info shows another UUID than the registered one',
    parts: withRules({
      infoReply: withMember(INFO_REPLY, 'agent_uuid', () => '00000000-0000-4000-8000-000000000000'),
    }),
  },
  {
    id: 'agent.info-generic-in-2.5',
    defect: 'tpm_enc_alg of 2.5 has no length',
    parts: withRules({ infoReply: withMember(INFO_REPLY, 'tpm_enc_alg', () => 'rsa') }),
  },
  {
    id: 'agent.info-without-handle',
    defect: 'agent/info names no handle',
    parts: withRules({ infoReply: withMember(INFO_REPLY, 'ak_handle', undefined) }),
  },
]

/** Agents that serve the wrong clients or the wrong resources. */
const DOORS: readonly Mutant[] = [
  {
    id: 'agent.strangers-let-in',
    defect:
      'a client without a certificate, or with any certificate, is served as an administrator',
    parts: {
      agentDoor: {
        ...AGENT_PARTS.agentDoor,
        refusesStrangers: false,
        nameOf: () => 'any-client',
      },
    },
  },
  {
    id: 'agent.info-a-version-late',
    defect: 'agent/info is served from 2.3 on',
    parts: {
      agentRoutes: AGENT_ROUTES.map((route) =>
        route.operation === 'read-info' ? { ...route, since: '2.3' } : route,
      ),
    },
  },
  {
    id: 'agent.identity-not-in-2.4',
    defect: 'the identity quote ends with 2.3',
    parts: {
      agentRoutes: AGENT_ROUTES.map((route) =>
        route.operation === 'quote-identity' ? { ...route, until: '2.3' } : route,
      ),
    },
  },
  {
    id: 'agent.port-of-another',
    defect: 'the agent registers another port than the one that it serves',
    parts: {
      registrationRequest: withMember(REGISTRATION_REQUEST, 'port', (_, was) =>
        String(Number(was) + 1),
      ),
    },
  },
]

export const AGENT_MUTANTS: readonly Mutant[] = [
  ...QUOTE_MUTANTS,
  ...REPLIES,
  ...DOORS,
  ...KEY_MUTANTS,
]
