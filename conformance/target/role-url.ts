/** True for a host that is certainly this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** True for a URL of that scheme, host and port, and nothing else. */
export function isPlainBase(url: URL, scheme: 'http' | 'https'): boolean {
  const rest = url.pathname + url.search + url.hash + url.username + url.password
  return url.protocol === `${scheme}:` && rest === '/'
}
