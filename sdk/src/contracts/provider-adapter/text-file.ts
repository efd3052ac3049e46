import type { FilePart } from './content.js'

/** Media types of human-readable text outside of `text/*`; in lower case, without parameters. */
const textTypes =
  /^(?:text\/[\w.+-]+|application\/(?:json|jsonl|ndjson|x-ndjson|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript|sql|csv|graphql|x-sh)|[\w.-]+\/[\w.+-]+\+(?:json|xml|yaml))$/

/**
 * True for a file with a media type of text whose content is in the part, so any chat model can
 * read it as text. It does not check the content, which may not be UTF-8.
 */
export const isTextFile = ({ media_type: mediaType, data }: FilePart): boolean =>
  data !== undefined && textTypes.test(bareMediaType(mediaType))

/** A media type in lower case, without its parameters: `text/csv` of `Text/CSV; charset=utf-8`. */
const bareMediaType = (mediaType: string): string => mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
