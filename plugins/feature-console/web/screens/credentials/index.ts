import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'credentials',
  routes: ['/credentials', '/credentials/grants', '/credentials/log'],
  title: { en: 'Credentials', de: 'Zugangsdaten' },
  group: 'main',
  order: 37,
  icon: 'key',
  keywords: { en: 'password token secret grant agent access log', de: 'Passwort Token Geheimnis Freigabe Agent Zugriff Protokoll' },
  load: () => import('./credentials.js'),
})
