import { defineMessages } from '@agent-service/sdk/web'
import { accounts as de } from '../texts/de.json'
import { accounts as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
