import { defineMessages } from '../i18n/messages.js'
import { ui as de } from '../texts/de.json'
import { ui as en } from '../texts/en.json'

/** The texts of the components themselves. */
export const t = defineMessages({ en, de })
