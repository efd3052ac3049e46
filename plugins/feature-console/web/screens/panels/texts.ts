import { defineMessages } from '@agent-service/sdk/web'
import { panels as de } from '../../texts/de.json'
import { panels as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
