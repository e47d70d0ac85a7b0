/** Where a TPM is. */
export type TpmPlace =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'device'; readonly path: string }

const DEFAULT_DEVICE = '/dev/tpmrm0'
const DEFAULT_HOST = 'localhost'
const DEFAULT_PORT = 2321

/**
 * Reads where a TPM is, as the usual tools spell it: `swtpm:host=H,port=P` (localhost:2321 where a part is left out),
 * `swtpm:path=/a/socket`, `device:/dev/tpmrm0`. Undefined for any other text.
 */
export function parseTcti(text: string): TpmPlace | undefined {
  const [kind = '', ...rest] = text.split(':')
  const options = rest.join(':')
  if (kind === 'device') return { kind, path: options === '' ? DEFAULT_DEVICE : options }
  return kind === 'swtpm' ? parseSwtpm(options) : undefined
}

function parseSwtpm(options: string): TpmPlace | undefined {
  const given = new Map<string, string>()
  for (const option of options === '' ? [] : options.split(',')) {
    const [, name = '', value = ''] = /^(host|port|path)=(.+)$/.exec(option) ?? []
    if (name === '' || given.has(name)) return undefined
    given.set(name, value)
  }
  const path = given.get('path')
  if (path !== undefined) return given.size === 1 ? { kind: 'unix', path } : undefined
  const port = given.get('port') ?? String(DEFAULT_PORT)
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) return undefined
  return { kind: 'tcp', host: given.get('host') ?? DEFAULT_HOST, port: Number(port) }
}
