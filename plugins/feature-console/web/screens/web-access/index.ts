import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'web-access',
  routes: ['/admin/web'],
  title: { en: 'Search and browser', de: 'Suche und Browser' },
  group: 'admin',
  order: 30,
  icon: 'world',
  admin: true,
  keywords: { en: 'web search provider Tavily Brave SearXNG browser test', de: 'Websuche Anbieter Tavily Brave SearXNG Browser testen' },
  load: () => import('./web-access.js'),
})
