export * from './chat-part.js'
export * from './check-chat-part.js'
export * from './define-chat-part.js'
export * from './point.js'
