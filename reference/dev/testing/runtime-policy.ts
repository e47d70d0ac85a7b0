/** A runtime policy that allows one file, as text. */
export const RUNTIME_POLICY = runtimePolicy({ '/usr/bin/true': ['00'.repeat(32)] })

/** A runtime policy with these digests. */
export function runtimePolicy(
  digests: Readonly<Record<string, readonly string[]>>,
  excludes: readonly string[] = [],
): string {
  return JSON.stringify({
    meta: { version: 1, generator: 2 },
    release: 0,
    digests,
    excludes,
    keyrings: {},
    ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
    'ima-buf': {},
    'verification-keys': '',
  })
}
