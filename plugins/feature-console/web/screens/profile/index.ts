import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'profile',
  routes: ['/profile'],
  title: { en: 'Profile', de: 'Profil' },
  group: 'personal',
  order: 10,
  icon: 'settings',
  keywords: { en: 'password e-mail language theme time zone account', de: 'Passwort E-Mail Sprache Farben Zeitzone Konto' },
  load: () => import('./profile.js'),
})
