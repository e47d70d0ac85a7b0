import { at, attributes, listOf, scenario } from '../../../conformance/scenario.ts'

const BASE64 = /^(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const MICROSECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}(Z|[+-]\d{2}:\d{2})$/

export default scenario({
  id: 'push.evidence.accepted',
  title: 'The verifier passes the evidence of a real boot',
  requirements: [
    'ATT-CREATE-STATUS',
    'ATT-TYPE',
    'ATT-ID-TEXT',
    'ATT-STAGE-AWAITING',
    'ATT-CHALLENGE',
    'ATT-CAPABILITIES-TIME',
    'ATT-DEADLINE',
    'ATT-SELECTION-FROM-CAPABILITIES',
    'ATT-SUBMIT-STATUS',
    'ATT-STAGE-EVALUATING',
    'ATT-EVIDENCE-TIME',
    'ATT-NEXT-SECONDS',
    'ATT-STAGE-COMPLETE',
    'ATT-EVALUATION-PASS',
    'ATT-REASON-NULL',
    'ATT-COMPLETED-TIME',
    'ATT-EVIDENCE-KEPT',
    'AUT-AGENT-OWN-RESOURCE',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.pushAgent()
    const negotiation = await agent.negotiate()
    const { reply, requested } = negotiation
    check('AUT-AGENT-OWN-RESOURCE', 'capabilities POST with the own token').of(reply.status).is(201)
    check('ATT-CREATE-STATUS', 'HTTP status').of(reply.status).is(201)
    check('ATT-TYPE', 'data.type')
      .of(at(reply.body, 'data', 'type'))
      .is('attestation')
    check('ATT-ID-TEXT', 'data.id')
      .of(at(reply.body, 'data', 'id'))
      .matches('a decimal index as a text', (id) => typeof id === 'string' && /^\d+$/.test(id))
    check('ATT-STAGE-AWAITING', 'stage').of(attributes(reply, 'stage')).is('awaiting_evidence')
    const received = attributes(reply, 'capabilities_received_at')
    check('ATT-CAPABILITIES-TIME', 'capabilities_received_at')
      .of(received)
      .matches('an instant with microseconds', (text) => MICROSECONDS.test(String(text)))
    check('ATT-DEADLINE', 'challenges_expire_at')
      .of(attributes(reply, 'challenges_expire_at'))
      .matches(
        `an instant after ${received}`,
        (text) => Date.parse(String(text)) > Date.parse(String(received)),
      )
    const chosen = requested.find(
      ({ evidence_type }) => evidence_type === 'tpm_quote',
    )?.chosen_parameters
    check('ATT-CHALLENGE', 'challenge')
      .of(at(chosen, 'challenge'))
      .matches('a base64 text, with its padding', (text) => BASE64.test(String(text)))
    check('ATT-SELECTION-FROM-CAPABILITIES', 'signature_scheme')
      .of(at(chosen, 'signature_scheme'))
      .is('rsassa')
    check('ATT-SELECTION-FROM-CAPABILITIES', 'hash_algorithm')
      .of(at(chosen, 'hash_algorithm'))
      .is('sha256')

    const accepted = await agent.submit(negotiation)
    check('ATT-SUBMIT-STATUS', 'HTTP status').of(accepted.status).is(202)
    check('ATT-STAGE-EVALUATING', 'stage')
      .of(attributes(accepted, 'stage'))
      .is('evaluating_evidence')
    check('ATT-EVIDENCE-TIME', 'evidence_received_at')
      .of(attributes(accepted, 'evidence_received_at'))
      .matches('an instant', (text) => !Number.isNaN(Date.parse(String(text))))
    check('ATT-NEXT-SECONDS', 'meta.seconds_to_next_attestation')
      .of(at(accepted.body, 'meta', 'seconds_to_next_attestation'))
      .matches('an integer', Number.isInteger)

    const seen = await verifier.settled(agent.id, negotiation.index)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    check('ATT-STAGE-COMPLETE', 'stage').of(attributes(seen, 'stage')).is('verification_complete')
    check('ATT-REASON-NULL', 'failure_reason')
      .of(attributes(seen, 'failure_reason'))
      .isOneOf([null, undefined])
    check('ATT-COMPLETED-TIME', 'verification_completed_at')
      .of(attributes(seen, 'verification_completed_at'))
      .matches('an instant', (text) => !Number.isNaN(Date.parse(String(text))))
    check('ATT-EVIDENCE-KEPT', 'types of the evidence that is kept')
      .of(listOf(attributes(seen, 'evidence'))?.map((item) => at(item, 'evidence_type')))
      .is(requested.map(({ evidence_type }) => evidence_type))
  },
})
