import { defineMessages } from '@agent-service/sdk/web'
import { credentials as de } from '../texts/de.json'
import { credentials as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
