import { defineMessages } from '@agent-service/sdk/web'
import { home as de } from '../../texts/de.json'
import { home as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
