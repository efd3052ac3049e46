import type { ChannelSetUpStep } from '@agent-service/sdk/contracts/channel'

const manifest = `\`\`\`yaml
display_information:
  name: Agent
features:
  app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false }
  bot_user: { display_name: agent, always_online: true }
oauth_config:
  scopes:
    bot: [chat:write, im:history, mpim:history, channels:history, groups:history, files:read, files:write]
settings:
  event_subscriptions:
    bot_events: [message.im, message.mpim, message.channels, message.groups, app_uninstalled, tokens_revoked]
  interactivity: { is_enabled: true }
  socket_mode_enabled: true
\`\`\``

/** How people set up a connection. */
export const setUp: readonly ChannelSetUpStep[] = [
  {
    title: 'Make an app',
    text: `Choose *Create New App*, *From a manifest*, your workspace, and give this manifest:\n\n${manifest}`,
    url: 'https://api.slack.com/apps',
  },
  {
    title: 'Install the app',
    text: 'Under *Install App* install it in your workspace, and copy the *Bot User OAuth Token*.',
    members: ['bot_token'],
  },
  {
    title: 'Let messages in through Socket Mode',
    text:
      'Under *Basic Information*, *App-Level Tokens*, make a token with the scope `connections:write`, and copy it. ' +
      'The service then needs no public address. Leave it out to use the next step in its place.',
    members: ['app_token'],
  },
  {
    title: 'Or let Slack call the service',
    text:
      'Only without an app token: switch *Socket Mode* off, and copy the *Signing Secret* of *Basic Information* before you save the connection. ' +
      'Then give `{webhook_url}` as the *Request URL* both under *Event Subscriptions* and under *Interactivity & Shortcuts*.',
    members: ['signing_secret'],
  },
  { title: 'Invite the app', text: 'Write to it directly, or add it to a channel with `/invite @agent` and name it there.' },
]
