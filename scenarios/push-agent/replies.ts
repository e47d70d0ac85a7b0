import { pushRepliesFamily } from './support/replies-family.ts'

/** Answers of a registrar and a verifier, and the next request of a push agent. */
export default pushRepliesFamily('push-agent.replies', 'push-agent.cycles')
