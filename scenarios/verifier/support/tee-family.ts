import { results } from '../../../conformance/attempt/reply.ts'
import { reportRequest } from '../../../conformance/client/agents/report-evidence.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { checkFailures, FAILURE_ROWS } from '../../../conformance/steps/evidence-failures.ts'
import { answerIn, NOT_VALID, validityIn } from '../../../conformance/steps/evidence-validity.ts'
import { p384KeyOf } from '../../../simulator/sev-snp/p384.ts'
import {
  type Guest,
  makeSnpEvidence,
  type SnpRecipe,
} from '../../../simulator/sev-snp/snp-evidence.ts'
import {
  DEBUGGED,
  OLDER_VERSION,
  SNP_FAULTS,
  type SnpFault,
} from '../../../simulator/sev-snp/snp-faults.ts'
import { claimCells, claimsOf, OLDER_CLAIMS } from './tee-claims.ts'

const REQUIREMENTS: Readonly<Record<SnpFault['kind'], string>> = {
  form: 'VER-EVIDENCE-TEE-FORM',
  signature: 'VER-EVIDENCE-TEE-SIGNATURE',
  freshness: 'VER-EVIDENCE-TEE-FRESH',
  certificate: 'VER-EVIDENCE-TEE-CERTIFIED',
}
const COMMON = { role: 'verifier', since: '2.5', until: '2.5', needs: ['sev_snp'] } as const

/** Returns the passing scenario, and one for each fault of a report. */
export function teeFamily(place: string): readonly Scenario[] {
  const valid: Scenario = {
    ...COMMON,
    id: `${place}.valid`,
    title: 'The verifier finds a SEV-SNP report valid and shows what it says',
    requirements: ['VER-EVIDENCE-TEE', 'VER-EVIDENCE-TEE-CLAIMS'],
    matrix: { name: 'tee', cells: () => claimCells },
    async run(context) {
      const guest = guestOf(context)
      const reply = await send(context, guest)
      const older = await send(context, guest, OLDER_VERSION)
      for (const [version, answer] of [[3, reply] as const, [2, older] as const])
        context
          .check('VER-EVIDENCE-TEE', `valid of a report of version ${version}`)
          .of(validityIn(answer))
          .is(true)
      for (const [cell, name, value] of claimsOf(guest))
        context
          .check('VER-EVIDENCE-TEE-CLAIMS', `claim ${name}`, cell)
          .of(results(reply, 'claims', name))
          .meets(asSigned(value))
      for (const [name, value] of Object.entries(OLDER_CLAIMS))
        context
          .check('VER-EVIDENCE-TEE-CLAIMS', `claim ${name} of a report with other settings`)
          .of(results(older, 'claims', name))
          .meets(asSigned(value))
    },
  }
  return [valid, ...variantsOf(place).map((each) => ({ ...each, variantOf: valid.id }))]
}

function asSigned(value: unknown) {
  return {
    'as signed': (shown: unknown) => JSON.stringify(shown) === JSON.stringify(value),
    'not shown': (shown: unknown) => shown === undefined,
  }
}

function variantsOf(place: string): readonly Scenario[] {
  return [
    ...SNP_FAULTS.map((fault) => faultScenario(place, fault)),
    {
      ...COMMON,
      id: `${place}.unknown`,
      title: 'The verifier does not accept evidence of an unknown execution environment',
      requirements: ['VER-EVIDENCE-TEE-UNKNOWN'],
      run: (context) => sendUnknown(context),
    },
    {
      ...COMMON,
      id: `${place}.debug`,
      title: 'The verifier rejects, or reports, a guest that its host may debug',
      requirements: ['VER-EVIDENCE-TEE-DEBUG'],
      run: (context) => sendDebugged(context),
    },
  ]
}

function faultScenario(place: string, { name, kind, what, recipe }: SnpFault): Scenario {
  const cell = `fault ${name}`
  return {
    ...COMMON,
    id: `${place}.${name}`,
    title: `The verifier does not accept a SEV-SNP report that ${what}`,
    requirements: [REQUIREMENTS[kind], ...FAILURE_ROWS],
    matrix: { name: 'tee', cells: () => [cell] },
    async run(context) {
      const reply = await send(context, guestOf(context), recipe) // the defect
      const isRejected = context
        .check(REQUIREMENTS[kind], 'valid', cell)
        .of(answerIn(reply))
        .matches(...NOT_VALID)
      if (isRejected) checkFailures(context, `a report that ${what}`, reply)
    },
  }
}

function guestOf({ random }: Context): Guest {
  const { x, y } = p384KeyOf(random.uuid())
  return { nonce: random.bytes(32), x, y }
}

function send({ verifier }: Context, guest: Guest, recipe: Partial<SnpRecipe> = {}) {
  const body = reportRequest(guest, makeSnpEvidence(guest, recipe))
  return verifier.call('verify-evidence', { body })
}

async function sendUnknown(context: Context): Promise<void> {
  const guest = guestOf(context)
  const { type, data } = reportRequest(guest, makeSnpEvidence(guest))
  const evidence = { ...data['tee-evidence'], tee: 'unknown' } // the defect
  const body = { type, data: { ...data, 'tee-evidence': evidence } }
  const reply = await context.verifier.call('verify-evidence', { body, defect: 'tee is unknown' })
  context
    .check('VER-EVIDENCE-TEE-UNKNOWN', 'valid')
    .of(answerIn(reply))
    .matches(...NOT_VALID)
}

async function sendDebugged(context: Context): Promise<void> {
  const reply = await send(context, guestOf(context), DEBUGGED) // the defect
  const [, isNotValid] = NOT_VALID
  context
    .check('VER-EVIDENCE-TEE-DEBUG', 'valid, and the claim about debugging')
    .of(reply)
    .meets({
      'not valid': (received) => isNotValid(answerIn(received)),
      claimed: (received) => results(received, 'claims', 'policy_debug_allowed') === true,
    })
}
