import { defineMessages } from '../i18n/messages.js'
import { preview as de } from '../texts/de.json'
import { preview as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
