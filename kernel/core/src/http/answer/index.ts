export type { AnswerCheck } from './answer-check.js'
export { sendBytes } from './send-bytes.js'
