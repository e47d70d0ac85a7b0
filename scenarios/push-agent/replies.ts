import { pushRepliesFamily } from './support/replies-family.ts'

/** What registrar and verifier may answer, and what a push agent does then. */
export default pushRepliesFamily('push-agent.replies', 'push-agent.cycles')
