export * from './offered-tool-name.js'
export * from './point.js'
export * from './tool-source.js'
