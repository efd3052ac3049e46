import { defineMessages } from '../i18n/messages.js'

export const t = defineMessages({
  en: {
    code: 'code',
    copy_code: 'Copy code',
    save_code: 'Download code',
    wrap: 'Wrap long lines',
  },
  de: {
    code: 'Code',
    copy_code: 'Code kopieren',
    save_code: 'Code herunterladen',
    wrap: 'Lange Zeilen umbrechen',
  },
})
