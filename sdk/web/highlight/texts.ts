import { defineMessages } from '../i18n/messages.js'
import { highlight as de } from '../texts/de.json'
import { highlight as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
