const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Whether an error of the file system says that nothing is there, or a link. */
export const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && absent.has(error.code)
