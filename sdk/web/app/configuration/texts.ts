import { defineMessages } from '../../i18n/messages.js'
import { configuration as de } from '../../texts/de.json'
import { configuration as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
