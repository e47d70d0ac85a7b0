/** True for a host that can only be this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** True for an https URL of scheme, host and port, and nothing else. */
export function isPlainBase(url: URL): boolean {
  const rest = url.pathname + url.search + url.hash + url.username + url.password
  return url.protocol === 'https:' && rest === '/'
}
