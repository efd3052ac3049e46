import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** A time of the API for people: UTC, to the minute. */
export const shownTime = (time: JsonValue | undefined): string =>
  typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : ''

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

/** What a link leads to. */
export const targetOf = ({ kind, path, title }: JsonObject): string =>
  kind === 'file' ? String(path) : title === '' ? 'a chat' : String(title)
