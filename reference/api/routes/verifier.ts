import type { Route } from './route.ts'
import { PULL_ROUTES, type PullOperation } from './verifier-pull.ts'
import { PUSH_ROUTES, type PushOperation } from './verifier-push.ts'
import { VERSION_ROUTES, type VersionOperation } from './versions.ts'

export type VerifierOperation = VersionOperation | PullOperation | PushOperation

export const VERIFIER_ROUTES: readonly Route<VerifierOperation>[] = [
  ...VERSION_ROUTES,
  ...PULL_ROUTES,
  ...PUSH_ROUTES,
]
