import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    backend: 'Memory',
    save_and_continue: 'Save and continue',
  },
  de: {
    backend: 'Gedächtnis',
    save_and_continue: 'Speichern und weiter',
  },
})
