import { rootCertificates } from 'node:tls'
import type { VerifierConfig } from '../../config/config.ts'
import { StartFault } from '../../errors.ts'
import { jsonClient } from '../../http-client/json-client.ts'
import type { Credential } from '../../pki/authority.ts'
import { loadAuthorities } from '../../pki/tls-files.ts'
import type { RetrySettings } from '../pull/pull-rules.ts'
import { type AgentNotifierParts, agentNotifier } from './agent-notifier.ts'
import type { Notifier } from './notifier.ts'
import { webhookNotifier } from './webhook-notifier.ts'
import { zeromqNotifier } from './zeromq-notifier.ts'

interface NotifierParts {
  readonly config: VerifierConfig
  /** The client certificate for webhooks; undefined to connect without one. */
  readonly identity: Credential | undefined
  readonly now: number
  readonly agents: AgentNotifierParts
  retryWait(tries: number, settings: RetrySettings): number
  isTriedAgain(tries: number, settings: RetrySettings): boolean
}

const NOTIFIERS: Readonly<Record<string, (parts: NotifierParts) => Notifier | Promise<Notifier>>> =
  {
    agent: ({ agents }) => agentNotifier(agents),
    webhook,
    zeromq: ({ config }) => zeromqNotifier({ host: config.zmq_ip, port: config.zmq_port }),
  }

/**
 * The notifiers that the settings enable.
 *
 * @throws {StartFault} if one of them cannot work with these settings
 */
export function loadNotifiers(parts: NotifierParts): Promise<readonly Notifier[]> {
  const names = parts.config.enabled_revocation_notifications.filter((name) => name !== 'none')
  return Promise.all(names.map((name) => notifierOf(name)(parts)))
}

function notifierOf(name: string) {
  const make = Object.hasOwn(NOTIFIERS, name) ? NOTIFIERS[name] : undefined
  if (make !== undefined) return make
  throw new StartFault(
    `there is no revocation notification called ${name}`,
    `use some of ${Object.keys(NOTIFIERS).join(', ')}, or none`,
  )
}

/** Milliseconds, and bytes, that an answer of a webhook may take. */
const WEBHOOK_TIMEOUT = 10_000
const WEBHOOK_ANSWER = 65_536

const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

function webhook(parts: NotifierParts): Notifier {
  const { config, identity } = parts
  const { protocol, hostname, port, pathname, search } = parseUrl(config.webhook_url)
  const trust = protocol === 'https:' ? { ca: authoritiesOf(parts) } : undefined
  const client = jsonClient({
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (PORTS[protocol] ?? 0) },
    ...(trust && { trust }),
    ...(trust && identity && { identity }),
    ...{ timeoutMs: WEBHOOK_TIMEOUT, maxBytes: WEBHOOK_ANSWER, connections: 1 },
  })
  const waitBefore = (tries: number): number | undefined =>
    parts.isTriedAgain(tries, config) ? parts.retryWait(tries, config) : undefined
  return webhookNotifier({ client, path: `${pathname}${search}`, waitBefore })
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && Object.hasOwn(PORTS, url.protocol)) return url
  throw new StartFault(
    'the webhook for revocations has no URL of https or http',
    'give it with --set webhook_url=https://…',
  )
}

function authoritiesOf({ config, now }: NotifierParts): string {
  return config.webhook_ca === 'system'
    ? rootCertificates.join('\n')
    : loadAuthorities(config.webhook_ca, now)
}
