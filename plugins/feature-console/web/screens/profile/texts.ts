import { defineMessages } from '@agent-service/sdk/web'
import { profile as de } from '../../texts/de.json'
import { profile as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
