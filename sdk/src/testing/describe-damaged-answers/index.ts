export { type DamagedAnswersOptions, describeDamagedAnswers } from './describe-damaged-answers.js'
