import { defineMessages } from '../i18n/messages.js'

export const t = defineMessages({
  en: { wrong: 'This formula cannot be shown: {reason}' },
  de: { wrong: 'Diese Formel lässt sich nicht darstellen: {reason}' },
})
