import { defineMessages } from '@agent-service/sdk/web'
import { imports as de } from '../../../texts/de.json'
import { imports as en } from '../../../texts/en.json'

export const t = defineMessages({ en, de })
