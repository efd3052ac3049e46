export * from './explain-fields.js'
export * from './field-explanation.js'
export * from './file-schema.js'
export * from './shown-values.js'
