export { answerOnSocket } from './handshake.js'
export type { Handshake, WebSocketServices, WebSockets } from './web-sockets.js'
