import { freshnessFamily } from './support/freshness-family.ts'

/** A challenge is answered by a quote over it, and by nothing that was made before or for another. */
export default freshnessFamily('push.freshness')
