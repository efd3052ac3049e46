/**
 * What a model's text holds beside the answer: reasoning between tags, and pictures as data. Taken
 * out of the events of any adapter, and out of texts that were stored earlier.
 *
 * @packageDocumentation
 */
export { pictureAt } from './pictures/picture-at.js'
export { maxPictureBytes, type Picture, pictureSentence, readPicture } from './pictures/read-picture.js'
export { withoutReasoning } from './reasoning/without-reasoning.js'
export { type AnswerReading, type AnswerSeparator, createAnswerSeparator, type InlineReasoning } from './separate-answer.js'
