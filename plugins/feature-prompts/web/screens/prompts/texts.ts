import { defineMessages } from '@agent-service/sdk/web'
import { prompts as de } from '../../texts/de.json'
import { prompts as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
