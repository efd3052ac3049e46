import { defineMessages } from '@agent-service/sdk/web'
import { sandbox as de } from '../texts/de.json'
import { sandbox as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
