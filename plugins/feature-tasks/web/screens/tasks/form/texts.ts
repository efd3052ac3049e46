import { defineMessages } from '@agent-service/sdk/web'
import { form as de } from '../../../texts/de.json'
import { form as en } from '../../../texts/en.json'

export const t = defineMessages({ en, de })
