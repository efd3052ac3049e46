import { defineMessages } from '@agent-service/sdk/web'
import { live_chat as de } from '../texts/de.json'
import { live_chat as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
