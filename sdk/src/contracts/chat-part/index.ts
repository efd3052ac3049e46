export * from './chat-part.js'
export * from './point.js'
