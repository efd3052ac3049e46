export { createAnswerCheck } from './create-answer-check.js'
export { roleAccess, testSettings } from './start-test-server.js'
