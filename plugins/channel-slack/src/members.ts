import type { JsonObject } from '@agent-service/sdk'
import { channelConnectionInvalidError } from '@agent-service/sdk/contracts/channel'

/** The credentials of a connection. */
export interface SlackMembers {
  /** Calls the Web API. */
  readonly botToken: string
  /** Events come over a WebSocket that it opens, or are signed with a secret. */
  readonly events: { readonly appToken: string } | { readonly signingSecret: string }
}

/**
 * Reads the members of a connection. With an app token the signing secret is not used.
 *
 * @throws `channel_connection_invalid`.
 */
export function readMembers(members: JsonObject): SlackMembers {
  const botToken = memberOf(members, 'bot_token')
  const appToken = memberOf(members, 'app_token')
  const signingSecret = memberOf(members, 'signing_secret')
  if (!/^xoxb-[\w-]{1,300}$/.test(botToken)) throw invalid('bot_token', 'is not the token of a bot, which begins with “xoxb-”')
  if (appToken !== '') {
    if (!/^xapp-[\w-]{1,300}$/.test(appToken)) throw invalid('app_token', 'is not the token of an app, which begins with “xapp-”')
    return { botToken, events: { appToken } }
  }
  if (signingSecret === '') throw invalid('app_token', 'is missing. Give it, or “signing_secret” in its place')
  return { botToken, events: { signingSecret } }
}

const memberOf = (members: JsonObject, name: string): string => {
  const value = members[name]
  return typeof value === 'string' ? value.trim() : ''
}

const invalid = (member: string, reason: string): Error => channelConnectionInvalidError.create({ member, reason })
