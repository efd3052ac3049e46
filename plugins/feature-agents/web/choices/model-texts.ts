import { defineMessages } from '@agent-service/sdk/web'
import { choices_model as de } from '../texts/de.json'
import { choices_model as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
