/** Bounds of requests, and of calls to a back end. Times are in milliseconds. */
export const limits = {
  /** Of one memory, in characters. */
  maxTextLength: 4_000,
  maxQueryLength: 1_000,
  /** Of an import. */
  maxImportBytes: 32 * 1_048_576,
  /** Of one line of an import. */
  maxLineLength: 1_048_576,
  /** Of an export as Markdown, which is made in memory. */
  maxMarkdownBytes: 8 * 1_048_576,
  readMs: 15_000,
  writeMs: 15_000,
  /** A prompt waits for no memory longer than this. */
  promptMs: 1_500,
  transferMs: 600_000,
} as const
