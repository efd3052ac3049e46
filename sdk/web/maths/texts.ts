import { defineMessages } from '../i18n/messages.js'
import { maths as de } from '../texts/de.json'
import { maths as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
