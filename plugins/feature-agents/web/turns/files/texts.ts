import { defineMessages } from '@agent-service/sdk/web'
import { files as de } from '../../texts/de.json'
import { files as en } from '../../texts/en.json'

export const t = defineMessages({ en, de })
