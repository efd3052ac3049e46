import { defineMessages } from '../i18n/messages.js'
import { markdown as de } from '../texts/de.json'
import { markdown as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
