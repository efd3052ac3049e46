import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'sign-in',
  routes: ['/sign-in'],
  title: { en: 'Sign in', de: 'Anmelden' },
  group: 'none',
  open: true,
  load: () => import('./sign-in.js'),
})
