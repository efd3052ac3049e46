export * from './check-tool.js'
export * from './define-tool.js'
export * from './point.js'
export * from './tool.js'
