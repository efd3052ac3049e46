export { answerOnSocket } from './answer-on-socket.js'
export type { Handshake, WebSocketServices, WebSockets } from './web-sockets.js'
