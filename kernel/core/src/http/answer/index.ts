export type { AnswerCheck } from './answer-check.js'
export { sendBytes } from './send-bytes.js'
export { endIteration, sendStream, waitForDrain, whileConnected } from './send-stream.js'
