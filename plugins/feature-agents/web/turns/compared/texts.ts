import { defineMessages } from '@agent-service/sdk/web'
import { compared as de } from '../../texts/de.json'
import { compared as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
