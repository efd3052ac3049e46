import { defineMessages } from '@agent-service/sdk/web'
import { usage as de } from '../texts/de.json'
import { usage as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
