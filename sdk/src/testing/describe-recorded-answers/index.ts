export { describeRecordedAnswers, type RecordedAnswersOptions } from './describe-recorded-answers.js'
