import { maxAlternations, maxMessagesPerMinute, minuteMs } from '../common/limits.js'
import type { Conversation } from '../store/conversation.js'

/** How long a conversation that turns in circles is left alone, in milliseconds. */
const pauseMs = 10 * 60_000

/**
 * Counts a message of a conversation. `pause`: it is one too many, and the conversation is left alone
 * for a while. `paused`: it still is.
 */
export function beat(
  conversation: Conversation,
  { bot, now }: { readonly bot: boolean; readonly now: number },
): { readonly outcome: 'go' | 'pause' | 'paused'; readonly conversation: Conversation } {
  if (conversation.paused_until > now) return { outcome: 'paused', conversation }
  const recent = [...conversation.recent.filter((at) => at > now - minuteMs && at <= now), now]
  const max = bot ? maxAlternations : maxMessagesPerMinute
  if (recent.length > max) return { outcome: 'pause', conversation: { ...conversation, recent: [], paused_until: now + pauseMs } }
  return { outcome: 'go', conversation: { ...conversation, recent } }
}
