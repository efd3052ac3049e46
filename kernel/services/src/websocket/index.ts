export { openWebSockets } from './serve-web-socket.js'
