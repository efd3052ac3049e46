/**
 * About how many seconds a test file of a package takes. Those of `test` start services. Only the
 * balance between processes depends on it.
 */
export function ordinarySeconds(folder) {
  return folder === 'test' ? 3 : 0.4
}

/** Files that take longer, in seconds. One that is not listed makes its process longer, no more. */
export const dearFiles = {}
