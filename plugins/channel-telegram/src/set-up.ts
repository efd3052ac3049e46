import type { ChannelSetUpStep } from '@agent-service/sdk/contracts/channel'

/** What people do to connect a bot. */
export const setUp: readonly ChannelSetUpStep[] = [
  {
    title: 'Make a bot',
    text: 'Write `/newbot` to @BotFather in Telegram, and choose a name and a username. Copy the token of its answer. Take a bot that no other program uses.',
    url: 'https://t.me/BotFather',
    members: ['token'],
  },
  {
    title: 'Groups, if the bot is to be in any',
    text: 'A bot sees in groups what names it, answers it or is a command. To let it see everything, write `/setprivacy` to @BotFather and choose *Disable*, then add the bot to the group anew. To keep it out of groups, write `/setjoingroups`.',
  },
  {
    title: 'Choose how messages come',
    text: 'Keep *polling*: it works behind every router. A webhook needs an address of the service that the internet reaches, with https at the port 443, 80, 88 or 8443.',
    members: ['receive'],
  },
]
