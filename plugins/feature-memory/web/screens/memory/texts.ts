import { defineMessages } from '@agent-service/sdk/web'
import { memory as de } from '../../texts/de.json'
import { memory as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
