import { defineMessages } from '@agent-service/sdk/web'
import { logs as de } from '../../texts/de.json'
import { logs as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
