/** Sample scenarios with every outcome, for tests and for the example report. */
import type { CheckResult, ScenarioResult } from '../result.ts'
import type { TranscriptEntry } from '../transcripts/transcript-entry.ts'
import { Transcripts } from '../transcripts/transcripts.ts'
import {
  AGENT,
  AS_ADMIN,
  AS_AGENT,
  agentRead,
  blob,
  exchange,
  negotiated,
  note,
  quote,
  REGISTRAR,
  settled,
  submitted,
  VERIFIER,
} from './sample-transcript.ts'

const checked = (
  at: number,
  requirement: string,
  what: string,
  expected: string,
  received = expected,
): CheckResult => ({ requirement, what, expected, received, ok: expected === received, at })

type Head = Pick<ScenarioResult, 'id' | 'title' | 'role' | 'version'>
type Parts = Head &
  Partial<Omit<ScenarioResult, 'transcript'>> & { readonly transcript?: readonly TranscriptEntry[] }

/** A scenario and its transcript. */
interface Recorded {
  readonly result: ScenarioResult
  readonly entries: readonly TranscriptEntry[]
}

const scenario = ({ transcript = [], ...parts }: Parts): Recorded => ({
  result: {
    requirements: [],
    outcome: 'pass',
    ms: 120,
    checks: [],
    observations: [],
    transcript: { entries: transcript.length, kept: transcript.length > 0 },
    source: `scenarios/${parts.id.replaceAll('.', '/')}.ts`,
    repeat: `npm start -- --target vendor.yaml --seed 7f3a91c2 --only ${parts.id}`,
    ...parts,
  },
  entries: transcript,
})

const SILENT = 'silent'

/** A waiver reason as a waiver file gives it. */
const WAIVER = 'waived until 2027-01-31: mended in the next release (https://vendor.example/41)'

const FIRST = blob('first nonce', 16)
const SECOND = blob('second nonce', 16)

const accepted = scenario({
  id: 'push.evidence.accepted',
  title: 'The verifier accepts evidence of a recorded boot',
  role: 'verifier',
  version: '3.0',
  requirements: ['VPUSH-EVIDENCE-ACCEPTED', 'VPUSH-EVALUATION-PASS'],
  ms: 412,
  checks: [
    checked(3, 'VPUSH-EVIDENCE-ACCEPTED', 'status', '202'),
    checked(3, 'VPUSH-EVIDENCE-ACCEPTED', 'stage', 'evaluating_evidence'),
    checked(4, 'VPUSH-EVALUATION-PASS', 'evaluation', 'pass'),
  ],
  observations: [{ key: 'NEXTWAIT', what: 'seconds_to_next_attestation', received: '60', at: 3 }],
  transcript: [
    note(0, 'machine-1 boots the recorded log of a real server and loads 412 IMA entries'),
    negotiated(18, '1', FIRST),
    quote(74, FIRST),
    submitted(110, '1'),
    settled(391, '1', 'pass', null),
  ],
})

const replayed = scenario({
  id: 'push.evidence.nonce-replayed',
  title: 'The verifier rejects evidence over an earlier challenge',
  role: 'verifier',
  version: '3.0',
  requirements: ['VPUSH-EVALUATION-FAIL', 'VPUSH-REASON-BROKEN'],
  variant_of: 'push.evidence.accepted',
  outcome: 'fail',
  failed_at: '2026-11-20T16:02:14.391Z',
  reason: 'failure_reason: expected broken_evidence_chain, received policy_violation',
  ms: 684,
  checks: [
    checked(5, 'VPUSH-EVIDENCE-ACCEPTED', 'status', '202'),
    checked(6, 'VPUSH-EVALUATION-FAIL', 'evaluation', 'fail'),
    checked(
      6,
      'VPUSH-REASON-BROKEN',
      'failure_reason',
      'broken_evidence_chain',
      'policy_violation',
    ),
  ],
  observations: [{ key: 'IDXTYPE', what: 'type of data.id', received: 'string', at: 6 }],
  transcript: [
    negotiated(0, '1', FIRST),
    submitted(58, '1'),
    negotiated(201, '2', SECOND),
    note(
      248,
      `the quote is made over the first challenge, ${FIRST}, not over the second, ${SECOND}`,
    ),
    quote(250, FIRST),
    submitted(311, '2'),
    settled(660, '2', 'fail', 'policy_violation'),
  ],
})

const listed = (version: string, status = 200): Recorded =>
  scenario({
    id: 'registrar.agents.list',
    title: 'The registrar lists a registered agent in the ordered list of uuids',
    role: 'registrar',
    version,
    requirements: ['REG-LIST-UUIDS'],
    ...(status === 200 ? {} : { outcome: 'fail', failed_at: '2026-11-20T16:02:12.104Z' }),
    ms: 37,
    checks: [checked(0, 'REG-LIST-UUIDS', 'status', '200', String(status))],
    transcript: [
      exchange({
        at_ms: 2,
        ms: 21,
        speaker: 'admin',
        tls: { ...AS_ADMIN, resumed: true },
        send: `GET ${REGISTRAR}/v${version}/agents/`,
        status,
        reply:
          status === 200
            ? { code: 200, status: 'Success', results: { uuids: [AGENT] } }
            : '<html><body>Internal Server Error</body></html>',
      }),
    ],
  })

/** Hostile content for readers of the report. */
export const HOSTILE =
  '<script>alert(1)</script> "double" \'single\' `back` {{constructor}} {%x%} ]]> <!-- ' +
  '\u001b[31mred\u001b[0m \u0000 \u202egnp.exe\u202c \ud800 &amp; </pre></details>'

const hostile = (version: string): Recorded =>
  scenario({
    id: 'registrar.answer.hostile',
    title: 'Markup in a reply is shown as text',
    role: 'registrar',
    version,
    requirements: ['REG-ENVELOPE'],
    outcome: 'fail',
    failed_at: '2026-11-20T16:02:13.020Z',
    ms: 29,
    checks: [
      { ...checked(0, 'REG-ENVELOPE', 'code', '200', '0'), excused: WAIVER },
      { ...checked(0, 'REG-PORT-TYPE', 'type of port', 'integer', 'null'), strength: SILENT },
      checked(0, 'REG-ENVELOPE', 'status', 'Success', HOSTILE),
    ],
    observations: [{ key: 'SERVER', what: 'server header', received: HOSTILE, at: 0 }],
    transcript: [
      exchange({
        at_ms: 3,
        ms: 14,
        speaker: 'anonymous',
        tls: AS_AGENT,
        send: `GET ${REGISTRAR}/version?q=<img%20src=x%20onerror=alert(1)>`,
        status: 200,
        reply: { code: 200, status: HOSTILE, results: { big: '18446744073709551615' } },
      }),
    ],
  })

const silent = scenario({
  id: 'push.session.silent',
  title: 'The verifier answers or closes a half-open connection',
  role: 'verifier',
  version: '3.0',
  requirements: ['VPUSH-SESSION-CREATE'],
  outcome: 'hang',
  failed_at: '2026-11-20T16:02:33.900Z',
  reason: 'no answer within 20 s of POST /v3/sessions',
  ms: 20_004,
  transcript: [
    {
      lane: 'wire',
      at_ms: 4,
      ms: 20_000,
      speaker: 'anonymous',
      request: { method: 'POST', url: `${VERIFIER}/v3/sessions`, headers: {}, body: '{"data":' },
      failure: 'no answer before the deadline of 20 s',
    },
  ],
})

/** Scenarios with an outcome between pass and fail: a warning, an observation, a waived one. */
const exempted = (): readonly Recorded[] => [
  scenario({
    id: 'registrar.agents.port-type',
    title: 'The registrar returns the port of an agent as a number',
    role: 'registrar',
    version: '2.5',
    requirements: ['REG-PORT-TYPE'],
    outcome: 'warn',
    reason: 'REG-PORT-TYPE: type of port was expected to be integer or string, and was null',
    checks: [
      {
        ...checked(0, 'REG-LIST-UUIDS', 'uuids', 'by value, or by registration', '["a", "b"]'),
        ...{ ok: true, strength: 'either', reading: 'by value' },
      },
      {
        ...checked(0, 'REG-PORT-TYPE', 'type of port', 'integer or string', 'null'),
        strength: SILENT,
      },
    ],
    transcript: [agentRead(200, { port: null })],
  }),
  scenario({
    id: 'push.attestation.unknown-index',
    title: 'The verifier answers a request for an unknown attestation',
    role: 'verifier',
    version: '3.0',
    requirements: ['VPUSH-UNKNOWN-INDEX'],
    outcome: 'observed',
    reason: 'the document is silent here',
    observations: [{ key: 'UNKNOWNIDX', what: 'status', received: '404', at: 0 }],
    transcript: [
      exchange({
        at_ms: 2,
        ms: 9,
        speaker: 'admin',
        tls: AS_ADMIN,
        send: `GET ${VERIFIER}/v3.0/agents/${AGENT}/attestations/99`,
        status: 404,
        reply: { errors: [{ status: '404', title: 'Not Found' }] },
      }),
    ],
  }),
  scenario({
    id: 'registrar.agents.unknown',
    title: 'The registrar answers 404 for an unregistered agent',
    role: 'registrar',
    version: '2.5',
    requirements: ['REG-UNKNOWN-AGENT'],
    outcome: 'waived',
    reason: WAIVER,
    checks: [
      { ...checked(0, 'REG-UNKNOWN-AGENT', 'status', '404', '500'), excused: WAIVER },
      checked(0, 'REG-ENVELOPE', 'members of the envelope', 'code, status, results'),
    ],
    transcript: [agentRead(500, {})],
  }),
]

/** Scenarios without a check: id, title, outcome, reason. */
const UNRUN = [
  [
    'push.evidence.old-index',
    'The verifier rejects evidence for an earlier index',
    'blocked',
    'its passing twin registrar.agents.list did not pass: HTTP 500',
  ],
  [
    'push.timeout.lockout',
    'The verifier locks out an agent after five silent intervals',
    'skipped',
    'its passing twin push.timeout.in-time is skipped',
  ],
  [
    'push.evidence.uefi',
    'The verifier rejects a UEFI log that does not replay',
    'not-applicable',
    'according to the target file, this verifier does not accept uefi_log',
  ],
  [
    'push.evidence.sha384',
    'The verifier accepts a quote of the sha384 bank',
    'harness-fault',
    'swtpm ended with signal SIGSEGV before the first command',
  ],
] as const

const BLOCKED = {
  variant_of: 'registrar.agents.list',
  blocked_by: { id: 'registrar.agents.list', version: '3.0', outcome: 'fail', reason: 'HTTP 500' },
} as const

const unrun = UNRUN.map(([id, title, outcome, reason]) =>
  scenario({
    id,
    title,
    role: 'verifier',
    version: '3.0',
    outcome,
    reason,
    ms: 0,
    requirements: ['VPUSH-EVALUATION-FAIL'],
    ...(outcome === 'blocked' ? BLOCKED : {}),
  }),
)

const RECORDED: readonly Recorded[] = [
  listed('2.4'),
  listed('2.5'),
  listed('3.0', 500),
  hostile('2.5'),
  accepted,
  replayed,
  silent,
  ...exempted(),
  ...unrun,
]

/** All scenarios of the sample, in the order of its run. */
export const sampleScenarios = (): readonly ScenarioResult[] => RECORDED.map(({ result }) => result)

/** The transcripts of the sample, as with `--transcripts all`. */
export const sampleTranscripts = (): Transcripts => {
  const transcripts = new Transcripts('all')
  for (const { result, entries } of RECORDED)
    if (entries.length > 0) transcripts.keep(result, entries)
  return transcripts
}
