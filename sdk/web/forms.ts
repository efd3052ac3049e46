export type { FieldProblems } from './api/field-problems.js'
export { FormDialog } from './ui/form-dialog.js'
export { type FormSchema, labelOf } from './ui/json-schema.js'
export { type FormValue, JsonField, SchemaForm } from './ui/schema-form.js'
