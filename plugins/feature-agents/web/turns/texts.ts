import { defineMessages } from '@agent-service/sdk/web'
import { turns as de } from '../texts/de.json'
import { turns as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
