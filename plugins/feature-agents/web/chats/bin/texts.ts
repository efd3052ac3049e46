import { defineMessages } from '@agent-service/sdk/web'
import { bin as de } from '../../texts/de.json'
import { bin as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
