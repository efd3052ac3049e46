import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'register',
  routes: ['/register'],
  title: { en: 'Create an account', de: 'Konto anlegen' },
  group: 'none',
  open: true,
  load: () => import('./register.js'),
})
