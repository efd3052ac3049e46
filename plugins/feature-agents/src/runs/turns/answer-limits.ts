import { pictureSentence } from '@agent-service/sdk/model-answers'
import { answerTooLongError } from '../../common/errors.js'
import type { Answer } from '../log/turn-records.js'
import type { LiveMessage } from '../streaming/live-message.js'

/**
 * The most text of an answer, in UTF-16 code units: even with the longest JSON escapes it fits one
 * document of the store.
 */
const maxLength = 1_300_000
/** The most bytes of an answer as JSON; a document of the store has at most 8 MiB. */
export const maxMessageBytes = 7 * 1024 * 1024
/** The most tool calls of one answer. */
const maxCalls = 128

/**
 * The content with a sentence in the place of each picture for which the message has no room left,
 * so that a picture never costs the answer.
 */
export function withFittingPictures(content: Answer['content']): Answer['content'] {
  const sizeOf = (part: Answer['content'][number]): number => Buffer.byteLength(JSON.stringify(part)) + 1
  let room = maxMessageBytes - 1_024
  for (const part of content) if (part.type !== 'image') room -= sizeOf(part)
  return content.map((part) => {
    if (part.type !== 'image') return part
    const size = sizeOf(part)
    if (size <= room) {
      room -= size
      return part
    }
    return { type: 'text', text: pictureSentence(`a message of a chat has no room for its ${Math.ceil((size * 3) / 4 / 1_024)} KiB`) }
  })
}

/** @throws `answer_too_long` for an answer that grows too long to be stored. */
export function checkGrowth(live: Pick<LiveMessage, 'length'>): void {
  if (live.length() > maxLength) throw answerTooLongError.create({ limit: `${maxLength} characters` })
}

/** @throws `answer_too_long` for a complete answer that cannot be stored. */
export function checkAnswer(answer: Pick<Answer, 'content'>): void {
  if (answer.content.filter((part) => part.type === 'tool_call').length > maxCalls) {
    throw answerTooLongError.create({ limit: `${maxCalls} tool calls` })
  }
  if (Buffer.byteLength(JSON.stringify(answer.content)) > maxMessageBytes) {
    throw answerTooLongError.create({ limit: `${maxMessageBytes} bytes` })
  }
}
