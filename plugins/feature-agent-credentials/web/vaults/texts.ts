import { defineMessages } from '@agent-service/sdk/web'
import { vaults as de } from '../texts/de.json'
import { vaults as en } from '../texts/en.json'

export const t = defineMessages({ en, de })
