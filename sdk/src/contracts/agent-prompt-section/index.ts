export * from './check-prompt-section.js'
export * from './define-prompt-section.js'
export * from './point.js'
export * from './prompt-section.js'
