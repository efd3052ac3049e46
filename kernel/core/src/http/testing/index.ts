export { createAnswerCheck } from './create-answer-check.js'
export { echoRoute, rawEchoRoute } from './echo-routes.js'
export { type EncodedAnswer, encodedRequest } from './encoded-request.js'
export { openWebSocket, refusedWebSocket } from './open-web-socket.js'
export { getRequest, openSocket, rawRequest } from './raw-request.js'
export {
  createRecordingLogger,
  roleAccess,
  startTestServer,
  systemClock,
  type TestServer,
  testPrincipal,
  testSettings,
} from './start-test-server.js'
