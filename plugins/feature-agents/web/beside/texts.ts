import { defineMessages } from '@agent-service/sdk/web'
import { beside as de } from '../texts/de.json'
import { beside as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
