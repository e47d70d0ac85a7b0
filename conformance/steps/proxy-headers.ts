import type { Credentials } from '../client/identity.ts'

/** The headers in which proxies that end TLS describe the certificate of a client to the server behind them. */
export function headersOfProxies({
  certificate: shown,
}: Pick<Credentials, 'certificate'>): Readonly<Record<string, string>> {
  const pem = encodeURIComponent(shown?.cert ?? '')
  const subject = shown?.subject ?? 'CN=client'
  return {
    'x-ssl-client-verify': 'SUCCESS',
    'x-ssl-client-s-dn': subject,
    'x-ssl-client-cert': pem,
    'x-client-cert': pem,
    'x-forwarded-client-cert': `Cert="${pem}";Subject="${subject}"`,
  }
}
