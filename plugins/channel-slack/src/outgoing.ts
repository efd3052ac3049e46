import { splitText } from '@agent-service/sdk/channels'
import type { ChannelButton } from '@agent-service/sdk/contracts/channel'
import { mrkdwnOf } from './mrkdwn.js'
import { rejected } from './refusals.js'

/** Where a message goes. */
export interface Target {
  readonly channel: string
  readonly thread_ts?: string
}

/** The target of a conversation. @throws `channel_rejected` if Slack has no such one. */
export function targetOf(conversationId: string): Target {
  const [, channel, thread] = /^([A-Z0-9]{1,50})(?::(\d{1,12}\.\d{1,9}))?$/.exec(conversationId) ?? []
  if (channel === undefined) throw rejected('the conversation is none of Slack')
  return { channel, ...(thread !== undefined && { thread_ts: thread }) }
}

/** A section holds 3,000 characters; a character is at most five when it is escaped. */
const maxSection = 3_000
const pieces = { unit: 'utf16', max: 550 } as const

/** The blocks of a text with buttons. */
export function blocksOf(markdown: string, buttons: readonly ChannelButton[]): readonly object[] {
  const whole = mrkdwnOf(markdown)
  const texts = whole.length <= maxSection ? [whole] : splitText(markdown, { limit: pieces }).map(mrkdwnOf)
  const sections = texts.filter((text) => text !== '').map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
  const elements = buttons.map(({ label, value }, index) => ({
    ...{ type: 'button', action_id: `button_${index}`, value },
    text: { type: 'plain_text', text: label, emoji: false },
  }))
  return [...sections, { type: 'actions', elements }]
}
