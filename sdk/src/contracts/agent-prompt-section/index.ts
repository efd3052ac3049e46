export * from './point.js'
export * from './prompt-section.js'
