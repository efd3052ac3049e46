import { defineMessages } from '@agent-service/sdk/web'
import { outbox as de } from '../texts/de.json'
import { outbox as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
