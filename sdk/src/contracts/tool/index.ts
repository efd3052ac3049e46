export * from './point.js'
export * from './tool.js'
