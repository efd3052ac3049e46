import { defineMessages } from '@agent-service/sdk/web'
import { browser as de } from '../../texts/de.json'
import { browser as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
