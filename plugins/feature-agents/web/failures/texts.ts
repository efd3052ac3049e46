import { defineMessages } from '@agent-service/sdk/web'
import { failures as de } from '../texts/de.json'
import { failures as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
