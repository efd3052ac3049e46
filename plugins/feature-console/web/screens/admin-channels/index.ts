import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'admin-channels',
  routes: ['/admin/channels', '/admin/channels/new', '/admin/channels/:connectionId'],
  title: { en: 'Shared channels', de: 'Gemeinsame Kanäle' },
  group: 'admin',
  order: 63,
  icon: 'messages',
  admin: true,
  keywords: {
    en: 'messenger bot telegram slack discord connection pairing',
    de: 'Messenger Bot Telegram Slack Discord Verbindung Kopplung',
  },
  load: () => import('./admin-channels.js'),
})
