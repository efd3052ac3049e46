import { defineMessages } from '@agent-service/sdk/web'
import { providers as de } from '../texts/de.json'
import { providers as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
