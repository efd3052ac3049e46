import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'models',
  routes: ['/admin/models'],
  title: { en: 'Models', de: 'Modelle' },
  group: 'admin',
  order: 25,
  icon: 'cpu',
  admin: true,
  keywords: { en: 'model group fallback parameters primary', de: 'Modellgruppe Ersatz Parameter primary' },
  load: () => import('./models.js'),
})
