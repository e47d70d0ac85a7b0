import type { AddStep } from './adding.ts'
import { COMMON_STEPS } from './common-steps.ts'

const { lookUp, endorse, enrol, confirm } = COMMON_STEPS

/** How a push agent is added: it opens every connection itself, so it is not contacted and gets no keys. */
export const pushSteps: readonly AddStep[] = [lookUp, endorse, enrol, confirm]
