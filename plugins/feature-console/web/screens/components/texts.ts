import { defineMessages } from '@agent-service/sdk/web'
import { components as de } from '../../texts/de.json'
import { components as en } from '../../texts/en.json'

/** Headings of the page; the samples in it are English, like names and paths. */
export const t = defineMessages({ en, de })
