import { freshnessFamily } from './support/freshness-family.ts'

/** A challenge is answered only by a quote over it, not by an earlier quote or one for another agent. */
export default freshnessFamily('push.freshness')
