import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'channels',
  routes: ['/channels', '/channels/new', '/channels/:connectionId'],
  title: { en: 'Channels', de: 'Kanäle' },
  group: 'main',
  order: 39,
  icon: 'messages',
  keywords: {
    en: 'messenger bot telegram slack discord e-mail webhook connection pairing code',
    de: 'Messenger Bot Telegram Slack Discord E-Mail Webhook Verbindung Kopplung Code',
  },
  load: () => import('./channels.js'),
})
