/** The form of PCR selections: the document has a list of numbers, upstream accepts only an object from bank to list. */
export const SUBJECT_FORMS = ['list', 'by_bank'] as const
export type SubjectForm = (typeof SUBJECT_FORMS)[number]
