import { defineMessages } from '@agent-service/sdk/web'
import { plugins as de } from '../../texts/de.json'
import { plugins as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
