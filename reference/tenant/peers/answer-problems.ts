import { type JsonReply, NoAnswer } from '../../http-client/json-client.ts'
import { printable } from '../../platform/printable.ts'
import { isRecord } from '../read-members.ts'
import { type FaultCode, TenantFault } from '../tenant-fault.ts'
import type { Peer, Question } from './peer.ts'

/** The outcome of a request: an answer, or the error of the connection. */
export type Outcome = JsonReply | NoAnswer

interface AskedOf {
  readonly peer: Peer
  readonly question: Question
  readonly outcome: Outcome
}

/** A way in which a request can fail, and the error for it. */
export interface AnswerProblem {
  readonly code: FaultCode
  when(outcome: Outcome): boolean
  sentence(asked: AskedOf): string
  next(asked: AskedOf): string
}

const word = (pattern: RegExp) => (outcome: Outcome) =>
  outcome instanceof NoAnswer && pattern.test(outcome.message)

const status = (least: number, most: number) => (outcome: Outcome) =>
  !(outcome instanceof NoAnswer) && outcome.status >= least && outcome.status <= most

const at = ({ name, address }: Peer) => `the ${name} at ${address}`

/** In a word: what broke, or the status. */
const why = (outcome: Outcome) =>
  outcome instanceof NoAnswer ? outcome.message : `HTTP ${outcome.status}`

/** The words of the server's own refusal, where it has some. */
function reason(outcome: Outcome): string {
  const body = outcome instanceof NoAnswer ? undefined : outcome.body
  const said = isRecord(body) ? body.status : undefined
  return typeof said === 'string' && said !== ''
    ? printable(said.slice(0, MOST_QUOTED))
    : why(outcome)
}

/** Characters of a server's text that are shown. */
const MOST_QUOTED = 300

/** Certificates that OpenSSL or node:tls does not believe, by their words. */
const DISBELIEVED =
  /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_(SIGNATURE|UNTRUSTED|REJECTED|NOT_YET|HAS_EXPIRED)|INVALID_(CA|PURPOSE)|ALTNAME|ANOTHER_CERTIFICATE|PATH_LENGTH/

/** The checks of every outcome, in this order; the first that matches is reported. */
export const answerProblems: readonly AnswerProblem[] = [
  {
    code: 'unreachable',
    when: word(/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL/),
    sentence: (asked) => `${at(asked.peer)} cannot be reached (${why(asked.outcome)})`,
    next: ({ peer }) => `start it, or say where it is with ${peer.option}`,
  },
  {
    code: 'timeout',
    when: word(/^no answer within|ETIMEDOUT/),
    sentence: (asked) => `${at(asked.peer)} does not answer (${why(asked.outcome)})`,
    next: ({ peer }) =>
      `look at the log of the ${peer.name}, or wait longer with --set request_timeout=SECONDS`,
  },
  {
    code: 'other_certificate',
    when: word(DISBELIEVED),
    sentence: (asked) =>
      `${at(asked.peer)} shows a certificate that is not trusted here (${why(asked.outcome)})`,
    next: ({ peer }) => peer.trustStep,
  },
  {
    code: 'no_tls',
    when: word(/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO|UNSUPPORTED_PROTOCOL/),
    sentence: (asked) =>
      `${at(asked.peer)} does not speak TLS as it should (${why(asked.outcome)})`,
    next: ({ peer }) => `give its TLS port with ${peer.option}`,
  },
  {
    code: 'certificate_refused',
    when: word(/ALERT/),
    sentence: (asked) => `${at(asked.peer)} does not take our certificate (${why(asked.outcome)})`,
    next: ({ peer }) =>
      `the ${peer.name} has to trust the CA of client_cert: see --set tls_dir=DIRECTORY`,
  },
  {
    code: 'too_large',
    when: word(/^an answer of more than/),
    sentence: (asked) => `${at(asked.peer)} sends too much (${why(asked.outcome)})`,
    next: ({ peer }) => `make sure that it is a ${peer.name}`,
  },
  {
    code: 'broken_off',
    when: (outcome) => outcome instanceof NoAnswer,
    sentence: (asked) => `${at(asked.peer)} broke off without an answer (${why(asked.outcome)})`,
    next: ({ peer }) => `look at the log of the ${peer.name}, and try again`,
  },
  {
    code: 'not_authenticated',
    when: status(401, 401),
    sentence: (asked) => `${at(asked.peer)} does not know who we are: ${reason(asked.outcome)}`,
    next: () => 'show another certificate with --set client_cert=FILE and --set client_key=FILE',
  },
  {
    code: 'not_authorized',
    when: status(403, 403),
    sentence: ({ peer, question }) =>
      `${at(peer)} does not let this certificate ${question.verb} ${question.what}`,
    next: () => 'show that of an administrator: assay pki admin NAME --package FILE makes one',
  },
  {
    code: 'not_found',
    when: status(404, 404),
    sentence: ({ peer, question }) => `${at(peer)} has no ${question.what}`,
    next: ({ question }) => question.ifMissing,
  },
  {
    code: 'conflict',
    when: status(409, 409),
    sentence: (asked) =>
      `${at(asked.peer)} does not ${asked.question.verb} ${asked.question.what}: ${reason(asked.outcome)}`,
    next: ({ question }) => question.ifTaken ?? 'look at it first: assay tenant status',
  },
  {
    code: 'refused',
    when: status(400, 499),
    sentence: (asked) =>
      `${at(asked.peer)} refuses to ${asked.question.verb} ${asked.question.what}: ${reason(asked.outcome)}`,
    next: () => 'correct the named member, and try again',
  },
  {
    code: 'server_error',
    when: status(500, 599),
    sentence: (asked) =>
      `${at(asked.peer)} failed at it (${why(asked.outcome)}): ${reason(asked.outcome)}`,
    next: ({ peer }) => `look at the log of the ${peer.name}, and try again`,
  },
  {
    code: 'redirected',
    when: (outcome) => !status(200, 299)(outcome),
    sentence: (asked) =>
      `${at(asked.peer)} sends us elsewhere (${why(asked.outcome)}), and we do not go`,
    next: ({ peer }) => `say where the ${peer.name} itself is with ${peer.option}`,
  },
  {
    code: 'no_json',
    when: (outcome) =>
      !(outcome instanceof NoAnswer) && outcome.status !== NO_CONTENT && outcome.body === undefined,
    sentence: (asked) => `${at(asked.peer)} answers with something that is no JSON`,
    next: ({ peer }) => `make sure that it is a ${peer.name}`,
  },
]

/** Some verifiers delete without a body. */
const NO_CONTENT = 204

/** The problem that an outcome has, as a fault to be thrown; undefined when it is an answer. */
export function problemWith(
  asked: AskedOf,
  problems: readonly AnswerProblem[],
): TenantFault | undefined {
  const row = problems.find(({ when }) => when(asked.outcome))
  if (row === undefined) return undefined
  const cause = asked.outcome instanceof NoAnswer ? asked.outcome : undefined
  return new TenantFault(row.code, row.sentence(asked), row.next(asked), cause)
}
