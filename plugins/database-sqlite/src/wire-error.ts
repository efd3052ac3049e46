/** An error as it crosses a thread: plain data. */
export interface WireError {
  /** SQLite's or Node's code. */
  readonly code: string
  readonly message: string
}

/** Turns what was thrown into plain data. */
export function toWireError(error: unknown): WireError {
  if (error instanceof Error) return { code: 'code' in error && typeof error.code === 'string' ? error.code : '', message: error.message }
  return { code: '', message: String(error) }
}

/** Whether a code is one of these, or an extended one of theirs. */
export const hasCode = (code: string, ...prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => code === prefix || code.startsWith(`${prefix}_`))

/**
 * Whether a write was refused for lack of space. A disk quota and a limit on the size of files come
 * as `SQLITE_IOERR_WRITE`.
 */
export function isStorageFull({ code }: WireError): boolean {
  return hasCode(code, 'SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE')
}
