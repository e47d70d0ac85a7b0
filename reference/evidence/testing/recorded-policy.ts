import { hashes } from '../../tpm/algorithms.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { parseAsciiList } from '../ima/list/parse-ascii.ts'
import { parseRuntimePolicy, type RuntimePolicy } from '../ima/policy/runtime-policy.ts'

type Digests = Record<string, string[]>

function allow(digests: Digests, name: string, digest: string): void {
  const listed = digests[name] ?? []
  digests[name] = [...listed, digest]
}

/** Tables of a policy that allows exactly the measurements of the recorded boot. */
function tables(): { readonly digests: Digests; readonly buffers: Digests } {
  const digests: Digests = {}
  const buffers: Digests = {}
  for (const item of parseAsciiList(recorded('ascii_after_tools'), hashes.sha1)) {
    if (item.kind !== 'entry' || 'invalid' in item.content) continue
    const { name, digest, buffer } = item.content
    allow(buffer ? buffers : digests, name, digest.hex)
  }
  return { digests, buffers }
}

/** A policy that allows the measurements of the recorded boot, without some paths, and with the given changes. */
export function recordedPolicy(
  without: readonly string[] = [],
  change: Readonly<Record<string, unknown>> = {},
): RuntimePolicy {
  const { digests, buffers } = tables()
  for (const name of without) {
    delete digests[name]
    delete buffers[name]
  }
  return parseRuntimePolicy(
    JSON.stringify({
      meta: { version: 1, generator: 2 },
      release: 0,
      digests,
      excludes: [],
      keyrings: {},
      ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
      'ima-buf': buffers,
      'verification-keys': '',
      ...change,
    }),
  )
}
