export * from './configuration-editor.js'
export * from './create-configuration-editor.js'
export * from './errors.js'
export * from './installation-editor.js'
