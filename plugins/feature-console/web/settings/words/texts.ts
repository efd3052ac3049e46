import { defineMessages } from '@agent-service/sdk/web'
import { words as de } from '../../texts/de.json'
import { words as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
