/** How PCRs are told: the document has a list of numbers, upstream takes nothing but an object from bank to list. */
export const SUBJECT_FORMS = ['list', 'by_bank'] as const
export type SubjectForm = (typeof SUBJECT_FORMS)[number]
