import { defineMessages } from '@agent-service/sdk/web'
import { slash as de } from '../../texts/de.json'
import { slash as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
