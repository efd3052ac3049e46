import { defineScreen } from '../../app/screen.js'

export default defineScreen({
  name: 'providers',
  routes: ['/admin/providers'],
  title: { en: 'Providers', de: 'Anbieter' },
  group: 'admin',
  order: 20,
  icon: 'server',
  admin: true,
  keywords: { en: 'api key model openai anthropic ollama connection', de: 'API Schlüssel Modell OpenAI Anthropic Ollama Verbindung' },
  load: () => import('./providers.js'),
})
