import { defineMessages } from '../i18n/messages.js'
import { diagrams as de } from '../texts/de.json'
import { diagrams as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
