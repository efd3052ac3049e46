import type { JsonObject } from '@agent-service/sdk'

/** What a link leads to. */
export const targetOf = ({ kind, path, title }: JsonObject): string =>
  kind === 'file' ? String(path) : title === '' ? 'a chat' : String(title)
