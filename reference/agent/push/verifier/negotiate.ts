import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { JsonReply } from '../../../http-client/json-client.ts'
import type { Abilities } from '../capabilities.ts'
import type { PushEnvironment } from '../environment.ts'
import type { Challenge, PushEvent } from '../events.ts'
import { endOf } from '../lifetime.ts'
import { unreadable } from '../outcomes.ts'
import type { StateHandler } from '../state-handler.ts'
import { askVerifier, VERIFIER } from './ask-verifier.ts'

const AttestationReply = Compile(
  Type.Object({
    data: Type.Object({
      id: Type.Optional(Type.String()),
      attributes: Type.Object({
        evidence_requested: Type.Array(
          Type.Object({
            evidence_class: Type.String(),
            evidence_type: Type.String(),
            chosen_parameters: Type.Record(Type.String(), Type.Unknown()),
          }),
        ),
        capabilities_received_at: Type.Optional(Type.String()),
        challenges_expire_at: Type.Optional(Type.String()),
      }),
    }),
  }),
)

/** Phase 1: sends the capabilities of the machine, and gets a challenge and the requested evidence. */
export const negotiate: StateHandler = async (environment, { token }) => {
  const abilities = await abilitiesOf(environment)
  const evidence_supported = environment.rules.offers.flatMap((offerOf) => offerOf(abilities) ?? [])
  const system_info = { boot_time: await environment.bootTime() }
  const asked = environment.clock.now()
  const answer = await askVerifier(environment, {
    ...{ method: 'POST', path: attestationsOf(environment), succeeds: 201, token },
    body: { data: { type: 'attestation', attributes: { evidence_supported, system_info } } },
  })
  if ('failed' in answer) return answer.failed
  return challengeIn(answer.reply, asked, abilities.ima?.entries ?? 0)
}

export function attestationsOf({ agentId }: Pick<PushEnvironment, 'agentId'>): string {
  return `/agents/${encodeURIComponent(agentId)}/attestations`
}

async function abilitiesOf(environment: PushEnvironment): Promise<Abilities> {
  const { attester, keyName, subjectForm } = environment
  return {
    ...{ algorithms: attester.algorithms, akPublic: attester.akPublic, keyName, subjectForm },
    pcrs: await attester.pcrs(),
    ima: await environment.countIma(),
    bootEvents: await environment.countBootEvents(),
  }
}

function challengeIn(reply: JsonReply, asked: number, listed: number): PushEvent {
  const { body } = reply
  if (!AttestationReply.Check(body))
    return unreadable(VERIFIER, 'an attestation lists the requested evidence')
  const { id, attributes } = body.data
  const { evidence_requested: requested } = attributes
  if (requested.length === 0)
    return { kind: 'nothing_requested', why: 'the verifier asks for no evidence' }
  const { capabilities_received_at: since, challenges_expire_at: until } = attributes
  const challenge: Challenge = {
    ...{ index: indexOf(id, reply.headers.location), requested, listed },
    expiresAt: endOf({ since, until }, asked),
  }
  return { kind: 'challenged', challenge }
}

/**
 * The index under which evidence is sent: the id of the attestation, the last part of its `Location`, which is all that
 * upstream gives, or `latest`. Only the index of a `Location` is used: the token is for this verifier alone.
 */
function indexOf(id: string | undefined, location: string | undefined): string {
  const index = /^\d{1,15}$/.exec(id ?? '')?.[0]
  return index ?? /\/attestations\/(\d{1,15})\/?$/.exec(location ?? '')?.[1] ?? 'latest'
}
