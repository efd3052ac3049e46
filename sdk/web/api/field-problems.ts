import { isProblem } from './problem.js'

/** What is wrong with the fields of a form, by the pointer of each in the body of the request: `/fields/0/value`. */
export type FieldProblems = Readonly<Record<string, string>>

/** The problems of single fields in an error; empty: it says nothing of fields. */
export const fieldProblemsOf = (error: unknown): FieldProblems =>
  isProblem(error) ? Object.fromEntries(error.errors.map(({ path, message }) => [path, message])) : {}
