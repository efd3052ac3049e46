import { defineMessages } from '@agent-service/sdk/web'
import { choices as de } from '../texts/de.json'
import { choices as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
