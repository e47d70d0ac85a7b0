import {
  DEFAULT_SEVERITY_POLICY,
  parseSeverityPolicy,
  SEVERITY_LABELS,
  type SeverityRule,
} from '../evidence/severity.ts'
import { flag, integer, names, oneOf, type Setting, text } from './setting-kinds.ts'

const severityPolicy = (about: string): Setting<readonly SeverityRule[]> => ({
  fallback: DEFAULT_SEVERITY_POLICY,
  read: parseSeverityPolicy,
  wants: 'a JSON list of {"event_id": an expression, "severity_label": a label}',
  about,
})

/** How a verifier asks agents that do not attest by themselves. */
export const POLL_SETTINGS = {
  mode: oneOf(
    ['both', 'pull', 'push'],
    'which side connects: both polls agents that are added with an address and a certificate, until they send evidence',
  ),
  enable_agent_mtls: flag(true, 'ask no agent that has no certificate'),
  max_retries: integer(5, 0, 1000, 'tries after the first for an agent that does not answer'),
  retry_interval: integer(2, 0, 3600, 'seconds before the first of them'),
  exponential_backoff: flag(true, 'the second waits for retry_interval^2, and so on'),
  poll_timeout: integer(60, 1, 3600, 'seconds an answer of an agent may take'),
  poll_answer_size: integer(67_108_864, 1024, 1_073_741_824, 'its largest size in bytes'),
  polls_at_once: integer(256, 1, 65_536, 'agents asked at the same time'),
  enabled_revocation_notifications: names(
    ['agent'],
    'receivers of revocation notices: agent, webhook, zeromq, or none',
  ),
  webhook_url: text('', 'where the webhook is'),
  webhook_ca: text(
    'system',
    'CA certificates it may be of, one PEM file; system takes those of Node',
  ),
  zmq_ip: text('127.0.0.1', 'where ZeroMQ publishes'),
  zmq_port: integer(8992, 1, 65_535, 'its port'),
  severity_labels: names(SEVERITY_LABELS, 'labels of failures, rising'),
  severity_policy: severityPolicy('how bad each failure of a poll is; the first rule that matches'),
}
