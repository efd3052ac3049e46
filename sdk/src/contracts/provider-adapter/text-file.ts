import type { FilePart } from './content.js'

/** Media types of what a person reads and writes as text, whatever family they belong to; in lower case, without parameters. */
const textTypes =
  /^(?:text\/[\w.+-]+|application\/(?:json|jsonl|ndjson|x-ndjson|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript|sql|csv|graphql|x-sh)|[\w.-]+\/[\w.+-]+\+(?:json|xml|yaml))$/

/**
 * True for a file whose media type is one of text and whose content stands in the part, so that any chat model can be given it as text. It says nothing of
 * the content, which may still be something else than UTF-8.
 */
export const isTextFile = ({ media_type: mediaType, data }: FilePart): boolean =>
  data !== undefined && textTypes.test(bareMediaType(mediaType))

/** A media type in lower case, without its parameters: `text/csv` of `Text/CSV; charset=utf-8`. */
const bareMediaType = (mediaType: string): string => mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
