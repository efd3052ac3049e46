export type { AnswerCheck } from './answer-check.js'
