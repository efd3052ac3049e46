import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'access',
  routes: ['/access'],
  title: { en: 'Tokens and sessions', de: 'Tokens und Sitzungen' },
  group: 'personal',
  order: 20,
  icon: 'key',
  keywords: { en: 'api key device sign out access', de: 'API Schlüssel Gerät abmelden Zugang' },
  load: () => import('./access.js'),
})
