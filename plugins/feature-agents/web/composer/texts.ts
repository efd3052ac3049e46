import { defineMessages } from '@agent-service/sdk/web'
import { composer as de } from '../texts/de.json'
import { composer as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
