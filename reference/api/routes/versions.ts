import type { Route } from './route.ts'

export type VersionOperation = 'read-version' | 'probe-version'

/**
 * What both components say of their versions. `GET /` and `GET /versions` stand in the authorization table of the
 * interface document only, for no component in particular (ambiguities VERSIONS and ROOTGET). 2.3 brings
 * `GET /version`, so that a deployment of older versions alone has none.
 */
export const VERSION_ROUTES: readonly Route<VersionOperation>[] = [
  {
    method: 'GET',
    path: '/version',
    operation: 'read-version',
    action: 'read_version',
    reply: 'envelope',
    since: '2.3',
    unversioned: true,
  },
  {
    method: 'GET',
    path: '/versions',
    operation: 'read-version',
    action: 'read_version',
    reply: 'envelope',
    since: '2.3',
    unversioned: true,
  },
  {
    method: 'GET',
    path: '/',
    operation: 'probe-version',
    action: 'read_version',
    reply: 'envelope',
    unversioned: true,
  },
  {
    method: 'GET',
    path: '/',
    operation: 'probe-version',
    action: 'read_version',
    reply: 'envelope',
    since: '3.0',
  },
]
