import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'models',
  routes: ['/admin/models'],
  title: { en: 'Models', de: 'Modelle' },
  group: 'admin',
  order: 25,
  icon: 'cpu',
  admin: true,
  keywords: { en: 'model fallback parameters main small', de: 'Modell Ersatz Parameter Hauptmodell' },
  load: () => import('./models.js'),
})
