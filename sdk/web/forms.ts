/**
 * Forms: {@link FormDialog} with fields of the screen's own, and {@link SchemaForm} with fields made from a JSON schema.
 * Loaded only by screens that import it.
 *
 * @packageDocumentation
 */

export { type FieldProblems, fieldProblemsOf } from './api/field-problems.js'
export { type BoundField, createForm, type Form, type FormOptions } from './forms/create-form.js'
export { focusProblem } from './forms/focus-problem.js'
export { FormDialog } from './ui/form-dialog.js'
export { FormView } from './ui/form-view.js'
export { type FormSchema, labelOf } from './ui/json-schema.js'
export { type FormValue, JsonField, SchemaForm } from './ui/schema-form.js'
