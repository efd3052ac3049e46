import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'components',
  routes: ['/components'],
  title: { en: 'Components', de: 'Bausteine' },
  group: 'none',
  open: true,
  load: () => import('./components.js'),
})
