import { defineMessages } from '@agent-service/sdk/web'
import { shell as de } from '../texts/de.json'
import { shell as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
