import { channelHttpFailure } from '@agent-service/sdk/channels'
import {
  channelRejectedError,
  channelThrottledError,
  channelUnauthorizedError,
  channelUnavailableError,
} from '@agent-service/sdk/contracts/channel'
import { type Fields, fieldsOf, integerOf, textOf } from './fields.js'

/** What people know the vendor as. */
export const telegram = 'Telegram'

/** What is known of a refusal. */
export interface Refusal {
  readonly status: number
  /** The answer, empty if it is no JSON. */
  readonly body: Fields
  readonly sending: boolean
  /** Whether the token was good before. */
  readonly wasAccepted: boolean
}

/** Refusals of one message that people can do something about, by what Telegram writes in its descriptions. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/blocked by the user/i, 'the person has blocked the bot'],
  [/initiate conversation/i, 'the person has to write to the bot first'],
  [/user is deactivated/i, 'the account of the person is gone'],
  [/kicked|not a member/i, 'the bot is no member of the group any more'],
  [/not enough rights|no write access|have no rights/i, 'the bot may not write there'],
  [/chat not found|peer_id_invalid/i, 'there is no such chat'],
  [/thread not found|topic_(closed|deleted)/i, 'the topic is closed or gone'],
  [/upgraded to a supergroup/i, 'the group has become another one. Write to the bot there'],
  [/too long/i, 'the text is too long'],
  [/file is too big/i, 'the file is larger than bots may have'],
  [/file_id|file identifier|file_reference|temporarily unavailable/i, 'the file is gone'],
]

/** The error of the contract for an answer that is a failure. Nothing of what Telegram wrote is in it. */
export function failureOf({ status, body, sending, wasAccepted }: Refusal): Error {
  const description = textOf(body['description']) ?? ''
  const retryAfter = integerOf(fieldsOf(body['parameters'])['retry_after'])
  const channel = telegram
  switch (status) {
    // Telegram answers 404 for a token that it never gave out.
    case 401:
    case 404:
      return channelUnauthorizedError.create({ channel, reason: wasAccepted ? 'revoked' : 'wrong' })
    case 409:
      return channelUnavailableError.create({
        channel,
        reason: /webhook/i.test(description)
          ? 'another program has set a webhook for the bot'
          : 'another program receives the messages of the bot with the same token',
      })
    case 400:
    case 403:
    case 413: {
      const reason = reasons.find(([pattern]) => pattern.test(description))?.[1] ?? `it answers ${status}`
      return channelRejectedError.create({ channel, reason })
    }
    case 429:
      return channelThrottledError.create({
        channel,
        ...(retryAfter !== undefined && { retryAfterMs: Math.min(retryAfter, 86_400) * 1_000 }),
      })
    default:
      return channelHttpFailure({ channel, status, sending })
  }
}
